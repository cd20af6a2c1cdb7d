//! Who a request comes from, and what they may ask for. On a server that strangers can reach, all of them come through
//! a proxy that says who they are, and heavy work is for those who show an invitation.

use std::convert::Infallible;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use thiserror::Error;

use crate::app::Shared;
use crate::error::ApiError;
use crate::rate::Demand;
use crate::request_error::RequestError;

/// What a server needs that strangers can reach.
#[derive(Clone, Debug)]
pub struct Public {
    /// The addresses of the proxy. Nobody else is talked to, and only the proxy is believed who a request comes from.
    pub proxies: Vec<IpAddr>,
    /// Who shows one of these may ask for heavy work.
    pub invitations: Vec<Invitation>,
}

/// A secret that is given to guests.
#[derive(Clone, PartialEq, Eq)]
pub struct Invitation(String);

/// A text that is no invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an invitation has {SHORTEST} to {LONGEST} letters, digits, - and _")]
pub struct InvitationError;

const SHORTEST: usize = 20;
const LONGEST: usize = 100;

impl FromStr for Invitation {
    type Err = InvitationError;

    fn from_str(text: &str) -> Result<Invitation, InvitationError> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if is_plain && (SHORTEST..=LONGEST).contains(&text.len()) {
            Ok(Invitation(text.to_owned()))
        } else {
            Err(InvitationError)
        }
    }
}

impl fmt::Debug for Invitation {
    /// Secrets do not belong in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invitation(…)")
    }
}

impl Invitation {
    /// Whether this is it. Takes the same time wherever they differ.
    fn is(&self, shown: &str) -> bool {
        let difference = self.0.bytes().zip(shown.bytes()).fold(0, |sum, (own, other)| sum | (own ^ other));
        self.0.len() == shown.len() && std::hint::black_box(difference) == 0
    }
}

/// How a program shows an invitation, and where a browser keeps it.
const HEADER: HeaderName = HeaderName::from_static("x-emilia-invitation");
const COOKIE: &str = "emilia-invitation";
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Computer players that are light enough for everybody.
const LIGHT: [&str; 14] = [
    "mia", "tom", "ana", "luc", "nadia", "omar", "ines", "viktor", "hana", "beginner", "casual", "club",
    "easy", "medium",
];

/// Who a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visitor {
    pub(crate) address: IpAddr,
    invited: bool,
    /// Whether it is somebody at the machine of the proxy, not somebody behind it.
    pub(crate) local: bool,
}

impl Visitor {
    /// Who is at the other end of a connection from this address, by the headers of the request.
    pub(crate) fn new(
        peer: IpAddr,
        headers: &HeaderMap,
        public: Option<&Public>,
    ) -> Result<Visitor, ApiError> {
        let Some(public) = public else { return Ok(Visitor { address: peer, invited: true, local: true }) };
        let invited = shown(headers).any(|shown| public.invitations.iter().any(|known| known.is(shown)));
        if !headers.contains_key(&FORWARDED) {
            return Ok(Visitor { address: peer, invited, local: true });
        }
        let address = forwarded(headers, &public.proxies).ok_or(ApiError::BadProxy)?;
        Ok(Visitor { address, invited, local: false })
    }

    /// Lets somebody do heavy work, unless it is a stranger or too much.
    pub(crate) fn work(&self, app: &Shared) -> Result<(), ApiError> {
        if !self.invited {
            return Err(ApiError::NotInvited);
        }
        app.rates.take(self.address, Demand::Analysis)
    }

    /// Lets somebody have a game with these computer players.
    pub(crate) fn play(&self, app: &Shared, players: &[&str]) -> Result<(), ApiError> {
        let light = players.len() < 2 && players.iter().all(|player| LIGHT.contains(&player.trim()));
        if !light && !self.invited {
            return Err(ApiError::NotInvited);
        }
        app.rates.take(self.address, Demand::NewGame)
    }
}

impl FromRequestParts<Shared> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Visitor, ApiError> {
        let nowhere = RequestError::Contradiction("the request comes from nowhere");
        parts.extensions.get::<Visitor>().copied().ok_or(nowhere.into())
    }
}

/// The client by what the proxies say: each adds whom it talked to at the end, so what stands before the last one that
/// is no proxy of ours may be made up.
fn forwarded(headers: &HeaderMap, proxies: &[IpAddr]) -> Option<IpAddr> {
    let lines: Vec<&str> =
        headers.get_all(&FORWARDED).iter().map(|value| value.to_str().ok()).collect::<Option<_>>()?;
    let named = lines.iter().flat_map(|line| line.split(',')).map(|word| word.trim().parse::<IpAddr>().ok());
    let mut last = None;
    for address in named.rev() {
        last = Some(address?.to_canonical());
        if last.is_none_or(|address| !proxies.contains(&address)) {
            break;
        }
    }
    last
}

/// The invitations that a request shows.
fn shown(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let in_header = headers.get_all(HEADER).iter().filter_map(|value| value.to_str().ok());
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let in_cookies = cookies.flat_map(|line| line.split(';')).filter_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    });
    in_header.chain(in_cookies)
}

/// `GET /invitation/{secret}`: a link that makes a browser show the invitation from then on.
pub(crate) async fn accept(State(app): State<Shared>, secret: OneWord) -> Result<Response, ApiError> {
    let public = app.config.public.as_ref().ok_or(ApiError::NotFound)?;
    let invitation =
        public.invitations.iter().find(|known| known.is(&secret.0)).ok_or(ApiError::NotInvited)?;
    let year = 365 * 24 * 3600;
    let cookie = format!("{COOKIE}={}; Path=/; Max-Age={year}; HttpOnly; Secure; SameSite=Lax", invitation.0);
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)])
        .into_response())
}

/// The last word of a path; empty if it cannot be read.
pub(crate) struct OneWord(String);

impl FromRequestParts<Shared> for OneWord {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<OneWord, Infallible> {
        let word = Path::<String>::from_request_parts(parts, app).await;
        Ok(OneWord(word.map(|Path(word)| word).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;
    use crate::catalogue;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn said(lines: &[&'static str]) -> Option<IpAddr> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(FORWARDED, HeaderValue::from_static(line));
        }
        forwarded(&headers, &[address("10.0.0.1"), address("10.0.0.2")])
    }

    #[test]
    fn only_what_the_own_proxies_have_added_is_believed() {
        assert_eq!(said(&["203.0.113.7"]), Some(address("203.0.113.7")));
        // The client may begin the line as it likes.
        assert_eq!(said(&["198.51.100.1, 203.0.113.7"]), Some(address("203.0.113.7")));
        assert_eq!(said(&["nonsense", "203.0.113.7, 10.0.0.2"]), Some(address("203.0.113.7")));
        assert_eq!(said(&["2001:db8::1"]), Some(address("2001:db8::1")));
        assert_eq!(said(&["::ffff:203.0.113.7"]), Some(address("203.0.113.7")));
        assert_eq!(said(&["203.0.113.7, nonsense"]), None);
        assert_eq!(said(&[""]), None);
        assert_eq!(said(&["10.0.0.2"]), Some(address("10.0.0.2")));
    }

    #[test]
    fn an_invitation_is_long_and_plain_and_stays_out_of_logs() {
        for text in [
            "",
            "short",
            &"x".repeat(19),
            &"x".repeat(101),
            "with a blank in the middle",
            "ünüsual-letters-in-it",
        ] {
            assert_eq!(text.parse::<Invitation>(), Err(InvitationError), "{text}");
        }
        let invitation: Invitation = "Ab3-_Ab3-_Ab3-_Ab3-_".parse().unwrap();
        assert!(invitation.is("Ab3-_Ab3-_Ab3-_Ab3-_"));
        for other in ["", "Ab3-_Ab3-_Ab3-_Ab3-", "Ab3-_Ab3-_Ab3-_Ab3-_x", "ab3-_Ab3-_Ab3-_Ab3-_"] {
            assert!(!invitation.is(other), "{other}");
        }
        assert_eq!(format!("{invitation:?}"), "Invitation(…)");
    }

    #[test]
    fn every_light_player_is_one() {
        for player in LIGHT {
            assert!(catalogue::candidate(player).is_ok(), "{player}");
        }
    }
}
