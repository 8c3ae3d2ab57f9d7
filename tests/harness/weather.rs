//! A stand-in for a weather service.

use crate::http::{Response, Server};

/// What the stand-in says about Berlin.
pub const BERLIN: &str = "Berlin: light drizzle, 13 degrees";

/// A weather service that knows one town, and never answers about another one.
#[derive(Debug)]
pub struct WeatherServer(Server);

impl WeatherServer {
    /// Starts the service.
    pub fn start() -> WeatherServer {
        WeatherServer(Server::start(|request| {
            if request.path.contains("Nowhere") {
                return Response::Hang;
            }
            let known = request.method == "GET" && request.path.contains("Berlin");
            let (status, body) = if known { (200, BERLIN) } else { (404, "no such town") };
            Response::Proper { status, kind: "text/plain", body: body.into() }
        }))
    }

    /// Its address as `host:port`.
    pub fn host(&self) -> String {
        self.0.host()
    }
}
