//! A tool for OpenClaw: it counts the words of a text.

wit_bindgen::generate!({ world: "sandboxed-tool", path: "wit" });

use exports::near::agent::tool::{ErrorKind, Guest, GuestFailure, Request, Response};

#[derive(serde::Deserialize)]
struct Arguments {
    text: String,
}

struct Tool;

impl Guest for Tool {
    fn description() -> String {
        "Counts the words of a text.".into()
    }

    fn schema() -> String {
        r#"{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}"#
            .into()
    }

    fn execute(request: Request) -> Response {
        match serde_json::from_str::<Arguments>(&request.params) {
            Ok(Arguments { text }) => {
                let words = text.split_whitespace().count();
                Response::Success(serde_json::json!({ "words": words }).to_string())
            }
            Err(error) => Response::Failure(GuestFailure {
                kind: ErrorKind::Input,
                code: Some("arguments".into()),
                message: Some(error.to_string()),
            }),
        }
    }
}

export!(Tool);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_words() {
        let request = Request { params: r#"{"text":"one two  three"}"#.into(), context: None };
        match Tool::execute(request) {
            Response::Success(value) => assert_eq!(value, r#"{"words":3}"#),
            Response::Failure(failure) => panic!("{:?}", failure.message),
        }
    }
}
