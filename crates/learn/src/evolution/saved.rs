//! Types of other crates as a checkpoint keeps them. They are checked when read.

/// Six weights as a list of numbers.
pub(crate) mod genes {
    use emilia_classic::Genes;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(genes: &Genes, serializer: S) -> Result<S::Ok, S::Error> {
        genes.values().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Genes, D::Error> {
        Genes::new(Deserialize::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A list of sixes of weights.
pub(crate) mod population {
    use emilia_classic::Genes;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(list: &[Genes], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().map(Genes::values))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Genes>, D::Error> {
        let list: Vec<[f64; Genes::COUNT]> = Deserialize::deserialize(deserializer)?;
        list.into_iter().map(|values| Genes::new(values).map_err(D::Error::custom)).collect()
    }
}

/// Six weights that need not be there.
pub(crate) mod start {
    use emilia_classic::Genes;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(genes: &Option<Genes>, serializer: S) -> Result<S::Ok, S::Error> {
        genes.map(|genes| genes.values()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Genes>, D::Error> {
        let values: Option<[f64; Genes::COUNT]> = Deserialize::deserialize(deserializer)?;
        values.map(Genes::new).transpose().map_err(D::Error::custom)
    }
}

/// The side of a board as a number.
pub(crate) mod size {
    use emilia_rules::Size;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(size.get())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
        Size::new(Deserialize::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
