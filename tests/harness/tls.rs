//! A client that speaks TLS, and knows the server's certificate beforehand.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme, StreamOwned,
};
use sha2::{Digest as _, Sha256};

/// By what a client knows the server.
#[derive(Debug, Clone)]
pub enum Trust {
    /// By the fingerprint of its certificate, as browsers show it; names and dates do not matter.
    Fingerprint(String),
    /// By a certificate, of the server itself or of who signs; names and dates do matter.
    Certificate(PathBuf),
}

/// A connection by TLS; the handshake is made with the first byte.
///
/// # Panics
/// An invalid name, or no certificate in the file.
pub fn connect(socket: TcpStream, name: &str, trust: Trust) -> StreamOwned<ClientConnection, TcpStream> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder = builder.expect("ring has what TLS needs");
    let config = match trust {
        Trust::Fingerprint(fingerprint) => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Pinned { fingerprint, provider }))
            .with_no_client_auth(),
        Trust::Certificate(file) => {
            let mut roots = RootCertStore::empty();
            roots.add(certificate(&file)).expect("a certificate");
            builder.with_root_certificates(roots).with_no_client_auth()
        }
    };
    let name = ServerName::try_from(name.to_owned()).expect("a name");
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).expect("a client"), socket)
}

/// The SHA-256 of the certificate in a file, as browsers show it.
///
/// # Panics
/// No certificate in the file.
pub fn fingerprint(file: &Path) -> String {
    shown(&certificate(file))
}

fn certificate(file: &Path) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn shown(der: &[u8]) -> String {
    Sha256::digest(der).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

#[derive(Debug)]
struct Pinned {
    fingerprint: String,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        server: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let found = shown(server);
        match found == self.fingerprint {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(Error::General(format!("{found} is not {}", self.fingerprint))),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, server, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        server: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, server, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
