//! The description for machines, made from the types of requests and answers. `EMILIA_UPDATE_DOCS=1 cargo test -p
//! emilia-server` writes it anew.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use emilia_service::error::ErrorBody;
use emilia_service::position::{self, PositionRequest};

use crate::game::{Snapshot, View};

type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What one method does at one path.
pub(super) struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// Whether a token is shown, and whether it must be.
    seated: bool,
    owned: bool,
    query: Option<SchemaOf>,
    body: Option<Body>,
    answers: Vec<Answer>,
}

struct Body {
    media: &'static str,
    schema: SchemaOf,
    example: Value,
}

struct Answer {
    status: u16,
    media: &'static str,
    schema: SchemaOf,
}

impl Operation {
    pub(super) fn new(method: &'static str, path: &'static str, summary: &'static str) -> Operation {
        Operation {
            method,
            path,
            summary,
            seated: false,
            owned: false,
            query: None,
            body: None,
            answers: Vec::new(),
        }
    }

    /// Who shows a token may do or see more.
    pub(super) fn seated(self) -> Operation {
        Operation { seated: true, ..self }
    }

    /// Only who shows the token of a profile.
    pub(super) fn owned(self) -> Operation {
        Operation { owned: true, ..self }
    }

    /// What may follow the question mark.
    pub(super) fn query<T: JsonSchema>(self) -> Operation {
        Operation { query: Some(T::json_schema), ..self }
    }

    pub(super) fn body<T: JsonSchema>(self, example: Value) -> Operation {
        self.takes("application/json", SchemaGenerator::subschema_for::<T>, example)
    }

    /// The fields that say which position is meant, and these.
    pub(super) fn about_position<T: JsonSchema>(self, example: Value) -> Operation {
        self.takes("application/json", joined::<T>, example)
    }

    pub(super) fn form<T: JsonSchema>(self, example: &str) -> Operation {
        self.takes("application/x-www-form-urlencoded", T::json_schema, example.into())
    }

    pub(super) fn text(self, example: &str) -> Operation {
        self.takes("text/plain", String::json_schema, example.into())
    }

    fn takes(self, media: &'static str, schema: SchemaOf, example: Value) -> Operation {
        Operation { body: Some(Body { media, schema, example }), ..self }
    }

    pub(super) fn json<T: JsonSchema>(self, status: u16) -> Operation {
        self.answer(status, "application/json", SchemaGenerator::subschema_for::<T>)
    }

    /// The game as whoever asks sees it.
    pub(super) fn view(self, status: u16) -> Operation {
        self.json::<View<Snapshot<'_>>>(status)
    }

    pub(super) fn lines<T: JsonSchema>(self) -> Operation {
        self.answer(200, "application/x-ndjson", SchemaGenerator::subschema_for::<T>)
    }

    pub(super) fn file(self) -> Operation {
        self.answer(200, "*/*", String::json_schema)
    }

    pub(super) fn plain(self) -> Operation {
        self.answer(200, "text/plain", String::json_schema)
    }

    fn answer(mut self, status: u16, media: &'static str, schema: SchemaOf) -> Operation {
        self.answers.push(Answer { status, media, schema });
        self
    }

    fn value(&self, requests: &mut SchemaGenerator, answers: &mut SchemaGenerator) -> Value {
        let mut value = json!({"summary": self.summary});
        let parameters = self.parameters(requests);
        if !parameters.is_empty() {
            value["parameters"] = parameters.into();
        }
        if self.seated {
            value["security"] = json!([{"token": []}, {}]);
        }
        if self.owned {
            value["security"] = json!([{"token": []}]);
        }
        if let Some(body) = &self.body {
            let content = json!({"schema": (body.schema)(requests), "example": body.example});
            value["requestBody"] = json!({"content": {body.media: content}});
        }
        let mut responses = Map::new();
        for answer in &self.answers {
            let schema = (answer.schema)(answers);
            let response = json!({"description": "done", "content": {answer.media: {"schema": schema}}});
            responses.insert(answer.status.to_string(), response);
        }
        responses.insert("default".to_owned(), json!({"$ref": "#/components/responses/Refused"}));
        value["responses"] = responses.into();
        value
    }

    fn parameters(&self, requests: &mut SchemaGenerator) -> Vec<Value> {
        let mut parameters = Vec::new();
        if self.path.contains("{id}") {
            parameters
                .push(json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}));
        }
        if let Some(query) = self.query {
            let schema = query(requests);
            let fields = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
            parameters.extend(
                fields
                    .into_iter()
                    .map(|(name, schema)| json!({"name": name, "in": "query", "schema": schema})),
            );
        }
        parameters
    }
}

/// A WTHOR file that is text too: a header that says one game of no year, then f5 and d6.
pub(super) fn small_wthor_file() -> String {
    let header = "\x14\x14\x01\x01\x01\0\0\0\0\0\0\0\x08\0\x16\0";
    format!("{header}\0\0\0\0\0\0  8@{}", "\0".repeat(58))
}

/// A game in Emilia's own format.
pub(super) fn small_game() -> Value {
    json!({"format": "emilia-game", "version": 1, "size": 8, "moves": ["f5", "d6"]})
}

/// The fields of a position and those of `T` in one object.
fn joined<T: JsonSchema>(requests: &mut SchemaGenerator) -> Schema {
    let mut position = PositionRequest::json_schema(requests).to_value();
    let own = T::json_schema(requests).to_value();
    let more = |name: &str| own.get(name).cloned();
    if let (Some(Value::Object(fields)), Some(all)) =
        (more("properties"), position["properties"].as_object_mut())
    {
        all.extend(fields);
    }
    if let Some(required) = more("required") {
        position["required"] = required;
    }
    position.as_object_mut().expect("a request is an object").remove("description");
    Schema::try_from(position).expect("made from schemas")
}

/// The whole description.
fn document() -> Value {
    let settings = || SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let at = |mut settings: SchemaSettings| {
        settings.definitions_path = "/components/schemas".into();
        settings
    };
    let mut requests = SchemaGenerator::new(at(settings().for_deserialize()));
    let mut answers = SchemaGenerator::new(at(settings().for_serialize()));
    let mut paths = Map::new();
    for operation in super::operations() {
        let value = operation.value(&mut requests, &mut answers);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = value;
    }
    let error = answers.subschema_for::<ErrorBody>();
    let refused = json!({"description": "refused", "content": {"application/json": {"schema": error}}});
    let mut schemas = answers.take_definitions(true);
    // What is both taken and given is described as it is taken: what may be left out is always given.
    schemas.extend(requests.take_definitions(true));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Emilia",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Othello games, players and analysis",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:8000"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {"Refused": refused},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "the token got when making or joining a game, or making a profile",
                },
            },
        },
    })
}

#[test]
fn the_description_is_that_of_the_types() {
    let text = format!("{:#}\n", document());
    if std::env::var_os("EMILIA_UPDATE_DOCS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        std::fs::write(path, &text).unwrap();
        return;
    }
    let again = "EMILIA_UPDATE_DOCS=1 cargo test -p emilia-server writes it anew";
    assert!(text == super::OPENAPI, "openapi.json is not that of the types; {again}");
}

#[test]
fn the_fields_that_name_a_position_are_the_ones_that_are_told_apart() {
    let mut requests = SchemaGenerator::default();
    let schema = PositionRequest::json_schema(&mut requests).to_value();
    let mut known = position::FIELDS;
    known.sort_unstable();
    let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(fields, known);
}
