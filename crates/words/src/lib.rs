//! Words of Korean, English, German and Chinese texts: folding, stems, parts of symbols, synonyms.
