//! What the schema wants at one place of a file: the types' shape without the types.

use serde_json::Value;

/// A place in a schema, with every reference resolved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'s> {
    doc: &'s Value,
    here: &'s Value,
    /// The name of the type, where it has one.
    pub(crate) name: &'s str,
}

/// What may stand at a place.
#[derive(Debug)]
pub(crate) enum Shape<'s> {
    /// A table with these keys.
    Table,
    /// A list of these.
    List(Node<'s>),
    /// One of several alternatives.
    Choice(Choice<'s>),
    /// A whole number within these.
    Whole(i128, i128),
    /// Text, in one of our formats.
    Text(Option<&'s str>),
    /// True or false.
    Flag,
    /// Anything else is left to the types.
    Any,
}

/// Several alternatives, of which exactly one is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice<'s> {
    /// Names that stand alone.
    pub(crate) words: Vec<&'s str>,
    /// Names with a table of parameters.
    pub(crate) tagged: Vec<(&'s str, Node<'s>)>,
    /// What may stand there without a name.
    pub(crate) plain: Option<Node<'s>>,
}

impl<'s> Choice<'s> {
    /// Every name there is, each once.
    pub(crate) fn names(&self) -> Vec<&'s str> {
        let tags = self.tagged.iter().map(|(name, _)| *name);
        let words = self.words.iter().copied();
        let words = words.filter(|word| self.tag(word).is_none());
        tags.chain(words).collect()
    }

    /// The parameters of a name.
    pub(crate) fn tag(&self, name: &str) -> Option<Node<'s>> {
        let found = self.tagged.iter().find(|(tag, _)| *tag == name);
        found.map(|(_, node)| *node)
    }
}

impl<'s> Node<'s> {
    /// The place of the whole file.
    pub(crate) fn root(doc: &'s Value) -> Self {
        Self {
            doc,
            here: doc,
            name: "",
        }
    }

    /// Another place of the same schema.
    fn at(self, here: &'s Value) -> Self {
        let mut node = Self {
            here,
            name: "",
            ..self
        };
        while let Some(target) = node.here["$ref"].as_str() {
            node.name = target.rsplit('/').next().unwrap_or(target);
            node.here = &self.doc["$defs"][node.name];
        }
        node.only().unwrap_or(node)
    }

    /// The one alternative to nothing, as an option has it.
    fn only(self) -> Option<Self> {
        let some = |one: &&Value| one["type"].as_str() != Some("null");
        let mut list = self.here["anyOf"].as_array()?.iter().filter(some);
        let one = list.next()?;
        list.next().is_none().then(|| self.at(one))
    }

    /// What may stand here.
    pub(crate) fn shape(self) -> Shape<'s> {
        if self.alternatives().is_some() {
            return Shape::Choice(self.choice());
        }
        match self.kind() {
            "object" => Shape::Table,
            "array" => Shape::List(self.at(&self.here["items"])),
            "integer" => {
                let (low, high) = self.bounds();
                Shape::Whole(low, high)
            }
            "string" if self.here.get("enum").is_some() => Shape::Choice(self.choice()),
            "string" => Shape::Text(self.here["format"].as_str()),
            "boolean" => Shape::Flag,
            _ => Shape::Any,
        }
    }

    /// The type's name; an option's is that of its inside.
    fn kind(self) -> &'s str {
        match &self.here["type"] {
            Value::Array(kinds) => {
                let mut kinds = kinds.iter().filter_map(Value::as_str);
                kinds.find(|kind| *kind != "null").unwrap_or_default()
            }
            kind => kind.as_str().unwrap_or_default(),
        }
    }

    fn bounds(self) -> (i128, i128) {
        let number = |key: &str| self.here[key].as_i64().map(i128::from);
        let low = number("minimum").unwrap_or_else(|| i64::MIN.into());
        let high = number("maximum").unwrap_or_else(|| match self.here["format"].as_str() {
            Some("uint8") => u8::MAX.into(),
            Some("uint16") => u16::MAX.into(),
            Some("uint32") => u32::MAX.into(),
            Some("uint64") => u64::MAX.into(),
            _ => i64::MAX.into(),
        });
        (low, high)
    }

    fn alternatives(self) -> Option<&'s Vec<Value>> {
        let list = self.here["oneOf"].as_array();
        list.or_else(|| self.here["anyOf"].as_array())
    }

    fn choice(self) -> Choice<'s> {
        let mut choice = Choice::default();
        let alone = std::slice::from_ref(self.here);
        for one in self.alternatives().map_or(alone, Vec::as_slice) {
            let listed = one["enum"].as_array().into_iter().flatten();
            let words = one.get("const").into_iter().chain(listed);
            let before = choice.words.len();
            choice.words.extend(words.filter_map(Value::as_str));
            let tag = one["properties"].as_object().and_then(|keys| {
                let (name, params) = keys.iter().next()?;
                (keys.len() == 1).then_some((name.as_str(), params))
            });
            match tag {
                Some((name, params)) => choice.tagged.push((name, self.at(params))),
                None if choice.words.len() > before => {}
                None if one["type"] == "null" => {}
                None => choice.plain = Some(self.at(one)),
            }
        }
        choice
    }

    /// The choice here, when it is one.
    pub(crate) fn as_choice(self) -> Option<Choice<'s>> {
        match self.shape() {
            Shape::Choice(choice) => Some(choice),
            _ => None,
        }
    }

    /// What belongs to a key: a value, an alternative, an element.
    pub(crate) fn child(self, key: &str) -> Option<Self> {
        match self.shape() {
            Shape::Choice(choice) => {
                let inside = || choice.plain.and_then(|plain| plain.child(key));
                choice.tag(key).or_else(inside)
            }
            Shape::List(item) => key.parse::<usize>().ok().map(|_| item),
            _ => {
                let named = self.here["properties"].get(key);
                let more = || Some(&self.here["additionalProperties"]).filter(|m| m.is_object());
                named.or_else(more).map(|here| self.at(here))
            }
        }
    }

    /// The keys of a table.
    pub(crate) fn keys(self) -> Vec<&'s str> {
        let keys = self.here["properties"].as_object().into_iter().flatten();
        let mut keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        keys
    }

    /// The keys that a table must have.
    pub(crate) fn required(self) -> Vec<&'s str> {
        let keys = self.here["required"].as_array().into_iter().flatten();
        keys.filter_map(Value::as_str).collect()
    }

    /// A value that may stand at a key of this table, as TOML.
    pub(crate) fn sample_of(self, key: &str) -> String {
        match self.here["properties"][key]["examples"].get(0) {
            Some(example) => written(example),
            None => self.child(key).map_or_else(String::new, Self::sample),
        }
    }

    /// A value that may stand here, as TOML.
    pub(crate) fn sample(self) -> String {
        if let Some(example) = self.here["examples"].get(0) {
            return written(example);
        }
        match self.shape() {
            Shape::Table => {
                let keys = self.required();
                let one = |key: &&str| format!("{key} = {}", self.sample_of(key));
                let keys: Vec<String> = keys.iter().map(one).collect();
                format!("{{ {} }}", keys.join(", "))
            }
            Shape::List(item) => format!("[{}]", item.sample()),
            Shape::Choice(choice) => match (choice.words.first(), choice.tagged.first()) {
                (Some(word), _) => format!("\"{word}\""),
                (None, Some((name, params))) => format!("{{ {name} = {} }}", params.sample()),
                (None, None) => choice.plain.map_or_else(String::new, Self::sample),
            },
            Shape::Whole(low, _) => low.max(1).to_string(),
            Shape::Text(_) | Shape::Any => "\"…\"".to_owned(),
            Shape::Flag => "true".to_owned(),
        }
    }
}

/// A value as TOML on one line.
fn written(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let keys = object
                .iter()
                .map(|(key, v)| format!("{key} = {}", written(v)));
            format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Node<'static> {
        let root = Node::root(crate::schema::strict());
        path.split('.').fold(root, |node, key| {
            node.child(key).unwrap_or_else(|| panic!("{path}: {key}"))
        })
    }

    #[test]
    fn the_schema_is_walked_by_keys() {
        assert!(matches!(at("fleet.workers").shape(), Shape::Whole(0, _)));
        let rate = at("gate.per-worker.limiter.gcra.rate").shape();
        assert!(matches!(rate, Shape::Text(Some("rate"))), "{rate:?}");
        assert!(matches!(at("server.outage.0.hang").shape(), Shape::Flag));
        assert!(matches!(at("measure.anything").shape(), Shape::Table));
        let cap = at("retry.backoff.exponential.cap").shape();
        assert!(matches!(cap, Shape::Text(Some("duration"))), "{cap:?}");
        assert!(Node::root(crate::schema::strict()).child("flet").is_none());
    }

    #[test]
    fn a_choice_has_words_and_tags() {
        let jitter = at("retry.backoff.fixed.jitter")
            .as_choice()
            .expect("a choice");
        assert_eq!(jitter.words, ["none", "full", "equal"]);
        assert_eq!(jitter.names(), ["add", "none", "full", "equal"]);
        let retry = at("retry").as_choice().expect("presets");
        assert_eq!(
            (retry.words, retry.plain.map(|p| p.name)),
            (vec!["none"], Some("RetryParams"))
        );
    }

    #[test]
    fn samples_are_what_one_writes() {
        assert_eq!(at("fleet").sample(), "{ workers = 4 }");
        let share = "{ limiter = { token-bucket = { rate = \"1/s\" } }, of = 1 }";
        assert_eq!(at("gate.static-share").sample(), share);
    }
}
