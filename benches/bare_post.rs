//! The least that a turn can cost: one POST of a chat request by tokio and reqwest, and nothing else.
//!
//! Without an address it ends at once: then it is the least that a program of Rust can cost.
#![forbid(unsafe_code)]

use std::error::Error;

const BODY: &str = r#"{"model":"scripted-1","messages":[{"role":"user","content":"hi"}]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(url) = std::env::args().nth(1) else { return Ok(()) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    let answer = runtime.block_on(post(&url))?;
    println!("{answer}");
    Ok(())
}

async fn post(url: &str) -> Result<String, Box<dyn Error>> {
    // No certificates are read, as in the program that this is held against when it speaks plain http.
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    let client = reqwest::Client::builder().no_proxy().http1_only().tls_backend_preconfigured(tls).build()?;
    let request = client.post(url).header("content-type", "application/json").body(BODY);
    Ok(request.send().await?.error_for_status()?.text().await?)
}
