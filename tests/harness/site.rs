//! A website over HTTPS on the loopback, under a host name of its own, with a certificate for it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

/// How long a browser may keep a connection without asking for anything.
const IDLE: Duration = Duration::from_secs(30);
/// The longest head of a request; more is not read.
const HEAD: u64 = 64 * 1024;

/// A website; it ends with the value.
#[derive(Debug)]
pub struct Site {
    host: String,
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
    // Holds the certificate of the authority.
    folder: TempDir,
}

#[derive(Debug, Default)]
struct Shared {
    pages: Mutex<BTreeMap<String, Page>>,
    requests: Mutex<Vec<String>>,
    stopped: AtomicBool,
}

#[derive(Debug, Clone)]
struct Page {
    body: Vec<u8>,
    kind: String,
}

impl Site {
    /// Serves files (path, body and content type) on a free port of the loopback, with a certificate for this host, signed by an
    /// authority of its own.
    ///
    /// # Panics
    /// Where no certificate can be made for this host.
    #[track_caller]
    pub fn serve(host: &str, files: &[(&str, Vec<u8>, &str)]) -> Site {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("the loopback has a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let (authority, config) = certify(host, &format!("Tests of {host}:{}", address.port()));
        let folder = tempfile::Builder::new().prefix("tameclaw-site-").tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("ca.pem"), authority.pem()).expect("a file can be written");
        let shared = Arc::<Shared>::default();
        shared.pages.lock().expect("no server panics").extend(files.iter().map(|(path, body, kind)| {
            ((*path).to_owned(), Page { body: body.clone(), kind: (*kind).to_owned() })
        }));
        let (config, kept) = (Arc::new(config), Arc::clone(&shared));
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if kept.stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (config, kept) = (Arc::clone(&config), Arc::clone(&kept));
                // What a browser does to its connection is the browser's matter.
                std::thread::spawn(move || _ = answer(stream, config, &kept));
            }
        });
        Site { host: host.to_owned(), address, shared, accepting: Some(accepting), folder }
    }

    /// The host that the certificate names.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Its port of the loopback.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Its origin: `https://host:port`.
    pub fn origin(&self) -> String {
        format!("https://{}:{}", self.host, self.port())
    }

    /// The certificate of its authority, a PEM file that goes with the site.
    pub fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// Exchanges the body of a file.
    ///
    /// # Panics
    /// If the file does not exist.
    #[track_caller]
    pub fn replace(&self, path: &str, body: impl Into<Vec<u8>>) {
        let mut pages = self.shared.pages.lock().expect("no server panics");
        pages.get_mut(path).unwrap_or_else(|| panic!("the site has no `{path}`")).body = body.into();
    }

    /// What was asked of it so far, as `GET /path?query`.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().expect("no server panics").clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the accepting thread so that it sees the mark.
        let woken = TcpStream::connect_timeout(&self.address, Duration::from_secs(1)).is_ok();
        if let Some(accepting) = self.accepting.take().filter(|_| woken) {
            // It may have panicked; the test has failed then.
            let _ = accepting.join();
        }
    }
}

/// An authority of this name, and a server's configuration with a certificate for this host that it signed. Its key is not kept.
#[track_caller]
fn certify(host: &str, authority: &str) -> (Certificate, ServerConfig) {
    let key = || KeyPair::generate().expect("random bytes");
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    // Two authorities of one name would be one for the browser.
    params.distinguished_name.push(DnType::CommonName, authority);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let signing = key();
    let authority = params.self_signed(&signing).expect("a certificate of an authority");
    let issuer = Issuer::new(params, signing);

    let mut params = CertificateParams::new([host.to_owned()]).unwrap_or_else(|e| panic!("`{host}`: {e}"));
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, host);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let serving = key();
    let certificate = params.signed_by(&serving, &issuer).unwrap_or_else(|e| panic!("`{host}`: {e}"));

    let secret = PrivatePkcs8KeyDer::from(serving.serialize_der()).into();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has what TLS needs")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], secret)
        .expect("the key fits the certificate");
    (authority, config)
}

/// Answers one request of a connection.
fn answer(stream: TcpStream, config: Arc<ServerConfig>, shared: &Shared) -> std::io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    let tls = ServerConnection::new(config).map_err(std::io::Error::other)?;
    let mut reader = BufReader::new(StreamOwned::new(tls, stream).take(HEAD));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    shared.requests.lock().expect("no server panics").push(format!("{method} {target}"));
    let path = target.split_once('?').map_or(target, |(path, _)| path);
    let page = shared.pages.lock().expect("no server panics").get(path).filter(|_| method == "GET").cloned();
    let status = if page.is_some() { "200 OK" } else { "404 Not Found" };
    let page = page.unwrap_or_else(|| Page { body: b"not found\n".to_vec(), kind: "text/plain".to_owned() });
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        page.kind,
        page.body.len()
    );
    let mut stream = reader.into_inner().into_inner();
    stream.write_all(&[head.as_bytes(), &page.body].concat())?;
    stream.conn.send_close_notify();
    stream.flush()
}
