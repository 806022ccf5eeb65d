"""What a curator decided about the statements: finding, sentence, corrected fields, and records added by hand."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

# Sentences that several statements share. Any other statement has a sentence under its own id.
SENTENCES = {
    "efsa-nitrate-2017": "adi",
    "iarc-tio2": "iarc-not-oral",
    "iarc-talc": "iarc-not-oral",
    "iarc-amorphous-silica": "iarc-not-oral",
}

# What a statement concludes. The rules of the level read this field and no text.
FINDINGS = {
    "eu-e171-ban": "prohibited",
    "efsa-e171-2021": "concern",
    "us-tio2": "permitted",
    "us-cyclamate": "prohibited",
    "us-red3": "prohibited",
    "us-bvo": "prohibited",
    "ca-ab418": "prohibited",
    "efsa-sulphites-2022": "concern-high-intake",
    "efsa-modified-starch": "no-concern",
}

# Fields that the seed states in its text only, or in other words.
CHANGES: dict[str, Row] = {
    "us-red3": {"effective": "2027-01-15"},
    "mccann-2007": {"status": "in-force"},
}

# Documents of the facts that were read for this release: what changes in their record.
READ_DOCUMENTS: dict[str, Row] = {
    "us:21cfr73.575": {
        "title": "21 CFR 73.575 Titanium dioxide (edition of 2015)",
        "year": 2015,
        "verified_in": ["github 18F/allregs @0f10affa, html/sections/21CFR73.575.html"],
    },
    "us:21cfr189.135": {
        "title": "21 CFR 189.135 Cyclamate and its derivatives (edition of 2015)",
        "year": 2015,
        "verified_in": ["github 18F/allregs @0f10affa, html/sections/21CFR189.135.html"],
    },
    "us:pl108-282": {
        "verified_in": ["omb.report/icr/200906-1513-006/doc/12140801 (text)", "fnic.nal.usda.gov (the eight allergens)"]
    },
    "us:pl117-11": {"verified_in": ["congress.gov/117/plaws/publ11/PLAW-117publ11.htm", "purl.fdlp.gov/GPO/gpo155261"]},
    "us-ca:ab2316": {
        "verified_in": ["app.legiplex.com/ca/legislature/2023/2023-r/bills/ab2316 (chaptered)", "mondaq.com 1526904"]
    },
    "doi:10.2903/j.efsa.2017.4911": {
        "verified_in": ["litmetric.com/detail/32625282 (abstract)", "fr.scribd.com/document/394967128 (first pages)"]
    },
    "doi:10.2903/j.efsa.2019.5778": {
        "verified_in": ["pure.ulster.ac.uk, abdn.elsevierpure.com, dietary-reference-values-for-sodium (abstract)"]
    },
    "doi:10.2903/j.efsa.2023.8006": {
        "verified_in": ["pure.ulster.ac.uk (abstract)", "ebusca.uv.mx/Record/pubmed-10189633 (abstract, DOI)"]
    },
}

# Statements that the documents above confirm, and the subjects that they name; no entry keeps the subjects.
READ_STATEMENTS: dict[str, list[str]] = {
    "us-tio2": [],
    "us-cyclamate": [],
    "ca-ab2316": [],
    "efsa-modified-starch": [],
    "efsa-sodium-2019": [],
    "efsa-ul-vitamin-b6": [],
    "us-allergen-sesame-seeds": [],
    "us-allergen-eggs": [],
    "us-allergen-peanuts": [],
    "us-allergen-nuts": [],
    "us-allergen-fish": [],
    "us-allergen-crustaceans": [],
    # The law names wheat, and no other cereal with gluten.
    "us-allergen-gluten": ["ing:wheat", "ing:wheat-flour", "ing:wheat-gluten", "ing:wheat-starch"],
    # Only ingredients that surely hold protein of the allergen.
    "us-allergen-soybeans": ["ing:soy", "ing:soy-flour", "ing:soy-protein", "ing:soy-sauce"],
    "us-allergen-milk": [
        *("ing:milk", "ing:whole-milk-powder", "ing:skimmed-milk-powder", "ing:milk-powder", "ing:whey"),
        *("ing:whey-powder", "ing:butter", "ing:cream", "ing:cheese", "ing:milk-protein", "ing:casein", "ing:yogurt"),
        *("ing:skimmed-milk", "ing:buttermilk", "ing:sodium-caseinate", "ing:cultured-milk"),
    ],
}

# Names of the plant say which part of the group is meant: E322(i) is lecithin, E322(ii) its hydrolysed form.
LECITHIN_PLANTS = {
    "en": ["soy lecithins", "soya lecithins", "sunflower lecithins", "rapeseed lecithins"],
    "de": ["Sojalecithine", "Sonnenblumenlecithine", "Rapslecithine", "Soja-Lecithine"],
    "fr": ["lécithines de soja", "lécithines de tournesol", "lécithines de colza"],
    "es": ["lecitinas de soja", "lecitinas de girasol"],
    "it": ["lecitine di soia", "lecitine di girasole"],
    "nl": ["sojalecithinen", "zonnebloemlecithinen"],
    "pt": ["lecitinas de soja", "lecitinas de girassol"],
    "pl": ["lecytyny sojowe", "lecytyny słonecznikowe", "lecytyny z soi", "lecytyny ze słonecznika"],
    "cs": ["sójové lecitiny", "slunečnicové lecitiny"],
    "hu": ["szójalecitinek", "napraforgólecitinek"],
}
LECITHIN_COMPOUNDS = {
    "de": ["Sojalecithin", "Sonnenblumenlecithin", "Rapslecithin"],
    "nl": ["sojalecithine", "zonnebloemlecithine", "raapzaadlecithine", "koolzaadlecithine"],
    "pl": ["lecytyna sojowa", "lecytyna słonecznikowa", "lecytyna rzepakowa"],
    "cs": ["sójový lecitin", "slunečnicový lecitin", "řepkový lecitin"],
    "hu": ["szójalecitin", "napraforgólecitin", "repcelecitin"],
}
# Names that packets print and the taxonomy lacks.
ADDED_NAMES: dict[str, dict[str, list[str]]] = {
    "E322(i)": {
        language: LECITHIN_PLANTS.get(language, []) + LECITHIN_COMPOUNDS.get(language, [])
        for language in LECITHIN_PLANTS
    },
    "E410": {
        "de": ["Johannisbrotkernmehl", "Carubenmehl", "Carobkernmehl"],
        "fr": ["farine de graines de caroube"],
        "es": ["harina de semillas de algarroba", "harina de garrofín"],
        "it": ["farina di semi di carrube", "gomma di semi di carrube"],
        "nl": ["johannesbroodpitmeel", "johannesbroodgom"],
        "pt": ["goma de alfarroba", "farinha de semente de alfarroba"],
        "pl": ["mączka chleba świętojańskiego", "guma chleba świętojańskiego"],
        "cs": ["lokustová guma", "svatojánská mouka", "moučka ze svatojánského chleba"],
        "hu": ["szentjánoskenyérmag-liszt", "szentjánoskenyér-liszt", "szentjánoskenyérliszt"],
    },
    "E412": {"fr": ["farine de graines de guar"], "de": ["Guarmehl", "Guargummi"], "pl": ["mączka guar"]},
    "E160a": {"en": ["carotenes", "mixed carotenes"], "de": ["Carotin", "gemischte Carotine"], "pt": ["carotenos"]},
    "E300": {"pt": ["ácido ascórbico"], "hu": ["aszkorbinsav", "C-vitamin"]},
    "E471": {"pt": ["mono e diglicerídeos de ácidos graxos", "diglicerídeos de ácidos graxos"]},
    "E472e": {"pt": ["ésteres de mono e diglicerídeos de ácidos graxos com ácido diacetil tartárico"]},
    "E500": {"nl": ["natriumcarbonaat"], "cs": ["uhličitan sodný"], "hu": ["nátrium-karbonát"]},
    "E501": {"nl": ["kaliumcarbonaat"], "cs": ["uhličitan draselný", "uhličitany draselné"]},
    "E503": {"nl": ["ammoniumcarbonaat"], "cs": ["uhličitan amonný", "uhličitany amonné"]},
    "E339": {"cs": ["fosforečnany sodné"]},
    "E340": {"cs": ["fosforečnany draselné"]},
    "E450": {"cs": ["difosforečnany"], "pl": ["difosforany"], "nl": ["difosfaten"], "it": ["difosfati"]},
    "E451": {"cs": ["trifosforečnany"], "nl": ["trifosfaten"], "it": ["trifosfati"], "pt": ["tripolifosfato de sódio"]},
    "E452": {"cs": ["polyfosforečnany"], "nl": ["polyfosfaten"], "it": ["polifosfati"]},
    "E262": {"cs": ["octany sodné"], "pl": ["octany sodu"], "nl": ["natriumacetaten"]},
    "E331": {"cs": ["citronany sodné"], "pl": ["cytryniany sodu"], "nl": ["natriumcitraten"]},
}
# Names of classes that packets print and the taxonomy lacks.
ADDED_CLASS_NAMES: dict[str, dict[str, list[str]]] = {
    "emulsifier": {"pt": ["emulsificantes", "emulsionante"]},
    "flavour-enhancer": {
        "pt": ["realçador de sabor", "realçadores de sabor"],
        "cs": ["zvýrazňovač chuti", "zvýrazňovače chuti"],
    },
    "flour-treatment-agent": {"pt": ["melhorador de farinha", "melhoradores de farinha"]},
    "preservative": {"pt": ["conservador", "conservadores"], "cs": ["konzervační látka", "konzervanty"]},
    "sweetener": {"pt": ["edulcorantes", "edulcorantes artificiais", "edulcorante artificial"], "cs": ["sladidla"]},
    "colour": {"pt": ["corantes artificiais", "corante natural", "corantes naturais"], "cs": ["barviva"]},
    "acid": {"pt": ["acidulante", "acidulantes"]},
    "thickener": {"cs": ["zahušťovadla"]},
    "emulsifying-salts": {"cs": ["tavicí soli", "tavící soli"]},
    "raising-agent": {"cs": ["kypřicí látky"], "pt": ["fermento químico", "fermentos químicos"]},
    "acidity-regulator": {"cs": ["regulátory kyselosti"]},
    "stabiliser": {"pt": ["estabilizantes"], "cs": ["stabilizátory"]},
    "anti-caking-agent": {"pt": ["antiumectante", "antiumectantes"], "cs": ["protispékavé látky"]},
    "humectant": {"pt": ["umectante", "umectantes"]},
}

# Names that claim more than they say: "caramel color" names no process, and potassium bromate is E924a.
REMOVED_NAMES: dict[str, set[str]] = {
    "E150a": {"caramel color", "caramel coloring", "caramel colorant"},
    "E150c": {"caramel color"},
    "E924": {"potassium bromate", "bromate de potassium"},
}

OPEN_FOOD_FACTS = "off:additives"

# Documents read for this release; `verified_in` says where.
CITATIONS: list[Row] = [
    {
        "id": OPEN_FOOD_FACTS,
        "title": "Open Food Facts: taxonomy of food additives (export of 2026-01-18)",
        "author": "Open Food Facts contributors",
        "year": 2026,
        "date": "2026-01-18",
        "publisher": "Open Food Facts",
        "url": "https://static.openfoodfacts.org/data/taxonomies/additives.json",
        "jurisdiction": "INT",
        "kind": "database",
        "identifier": "ODbL 1.0",
        "verified": True,
        "verified_in": ["taxonomy export of 680 entries, committed to a public repository on 2026-01-18"],
    },
    # What the components of a product cite: how the Nutri-Score is computed, and who doubts NOVA.
    {
        "id": "doi:10.1038/s43016-024-00920-3",
        "title": "Nutri-Score 2023 update",
        "author": "Nature Food",
        "year": 2024,
        "publisher": "Nature Food",
        "url": "https://www.nature.com/articles/s43016-024-00920-3",
        "doi": "10.1038/s43016-024-00920-3",
        "jurisdiction": "INT",
        "kind": "article",
        "verified": True,
        "verified_in": ["nature.com/articles/s43016-024-00920-3 (abstract, figure list)"],
    },
    {
        "id": "doi:10.1097/nt.0000000000000400",
        "title": "An Overlap Between \u201cUltraprocessed\u201d Foods and the Preexisting Nutrient Rich Foods Index?",
        "author": "Drewnowski A, Gupta S, Darmon N",
        "year": 2020,
        "publisher": "Nutrition Today",
        "url": "https://doi.org/10.1097/nt.0000000000000400",
        "doi": "10.1097/nt.0000000000000400",
        "jurisdiction": "INT",
        "kind": "article",
        "verified": True,
        "verified_in": ["pmc.ncbi.nlm.nih.gov/articles/PMC10659579 (abstract)", "ouci.dntb.gov.ua/en/works/lowYpaVl"],
    },
]


# Sections of 21 CFR read on 2026-11-22: section, substance, subjects, year of its last version, where it was read.
# A section without a place of its own was read in the copy of the annual edition of 2015.
EDITION = "github 18F/allregs @0f10affa, html/sections (annual edition of 2015)"
Section = tuple[str, str, list[str], int, str]

# "No limitation other than current good manufacturing practice."
GOOD_PRACTICE: list[Section] = [
    (
        "184.1137",
        "Ammonium carbonate",
        ["E503(i)", "E503"],
        1983,
        "law.lawstack.com/cfr/21/184.1137 and docslib.org/doc/897622 (48 FR 52439, 1983)",
    ),
    ("184.1135", "Ammonium bicarbonate", ["E503(ii)", "E503"], 1983, EDITION),
    (
        "184.1751",
        "Sodium citrate",
        ["E331"],
        1994,
        "govinfo.gov CFR-1996-title21-vol3-sec184-1751 and cfr.laws-info.com/text/21/184/1751 (59 FR 63896, 1994)",
    ),
    ("184.1061", "Lactic acid", ["E270"], 1984, EDITION),
    ("184.1195", "Calcium citrate", ["E333"], 1994, EDITION),
    ("184.1199", "Calcium gluconate", ["E578"], 1982, EDITION),
    ("184.1205", "Calcium hydroxide", ["E526"], 1984, EDITION),
    ("184.1207", "Calcium lactate", ["E327"], 1984, EDITION),
    ("184.1240", "Carbon dioxide", ["E290"], 2008, EDITION),
    ("184.1277", "Dextrin", ["E1400"], 1983, EDITION),
    ("184.1308", "Ferrous gluconate", ["E579"], 1988, EDITION),
    ("184.1318", "Glucono delta-lactone", ["E575"], 1986, EDITION),
    ("184.1425", "Magnesium carbonate", ["E504(i)"], 1985, EDITION),
    ("184.1431", "Magnesium oxide", ["E530"], 1985, EDITION),
    ("184.1613", "Potassium bicarbonate", ["E501(ii)", "E501"], 1983, EDITION),
    ("184.1619", "Potassium carbonate", ["E501(i)", "E501"], 1983, EDITION),
    ("184.1625", "Potassium citrate", ["E332(ii)", "E332"], 1994, EDITION),
    ("184.1631", "Potassium hydroxide", ["E525"], 1983, EDITION),
    (
        "184.1639",
        "Potassium lactate",
        ["E326"],
        2008,
        "accessdata.fda.gov/scripts/cdrh/cfdocs/cfcfr/CFRSearch.cfm?fr=184.1639 (edition of 2014)",
    ),
    ("184.1763", "Sodium hydroxide", ["E524"], 1983, EDITION),
    ("184.1768", "Sodium lactate", ["E325"], 2012, "docslib.org/doc/2636503 (edition of 2012)"),
    ("184.1911", "Triethyl citrate", ["E1505"], 1994, EDITION),
]
# Good manufacturing practice "results in a maximum level" for kinds of food, or the section names the only use.
LEVELS: list[Section] = [
    ("184.1005", "Acetic acid", ["E260"], 2015, "qualomics.com/eCFR/?node=21:3.0.1.1.14.2"),
    ("184.1069", "Malic acid", ["E296"], 1984, EDITION),
    ("184.1115", "Agar-agar", ["E406"], 1984, EDITION),
    ("184.1185", "Calcium acetate", ["E263"], 1982, EDITION),
    ("184.1271", "L-Cysteine", ["E920"], 1984, EDITION),
    ("184.1635", "Potassium iodate", ["E917"], 1984, EDITION),
    ("184.1754", "Sodium diacetate", ["E262(ii)"], 1982, EDITION),
]
# Food additives "used in accordance with the prescribed conditions".
CONDITIONS: list[Section] = [
    ("172.120", "Calcium disodium EDTA", ["E385"], 2000, EDITION),
    ("172.350", "Fumaric acid and salts of fumaric acid", ["E297"], 2015, EDITION),
    ("172.530", "Disodium guanylate", ["E627"], 2015, EDITION),
    ("172.535", "Disodium inosinate", ["E631"], 2015, EDITION),
    ("172.860", "Fatty acids", ["E570"], 1989, EDITION),
    ("172.892", "Food starch-modified", ["E1442", "E1422"], 2001, EDITION),
]


def us_citation(section: str, name: str, year: int, read: str) -> Row:
    """A section of the Code of Federal Regulations."""
    return {
        "id": f"us:21cfr{section}",
        "title": f"21 CFR {section} {name}",
        "author": "US Food and Drug Administration",
        "year": year,
        "publisher": "Code of Federal Regulations",
        "url": f"https://www.ecfr.gov/current/title-21/section-{section}",
        "jurisdiction": "US",
        "kind": "regulation",
        "identifier": f"21 CFR {section}",
        "verified": True,
        "verified_in": [read],
    }


def us_statement(section: str, subjects: list[str], sentence: str, read: str) -> Row:
    """A listing in US law; it says nothing about health and gives no level."""
    return {
        "id": f"us-listing-{section}",
        "subjects": subjects,
        "kind": "listing",
        "jurisdiction": "US",
        "body": "FDA",
        "date": None,
        "status": "in-force",
        "evidence_level": "regulation",
        "citations": [f"us:21cfr{section}"],
        "verified": True,
        "verified_in": [read],
        "finding": "permitted",
        "sentence": sentence,
    }


LISTINGS = [("gras", GOOD_PRACTICE), ("gras-levels", LEVELS), ("permitted-us", CONDITIONS)]
CITATIONS += [
    us_citation(section, name, year, read) for _, listing in LISTINGS for section, name, _, year, read in listing
]
STATEMENTS: list[Row] = [
    us_statement(section, subjects, sentence, read)
    for sentence, listing in LISTINGS
    for section, _, subjects, _, read in listing
]
