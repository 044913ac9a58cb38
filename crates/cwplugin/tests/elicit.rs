//! A hidden metric, found by asking alone.

use cwplugin::{Answer, Elicitation, Error, Mode, Probabilities, Session, SessionError, Weights};

/// A population of which the true probabilities are known, drawn by a plain generator.
fn population(n: usize, m: usize) -> Probabilities {
    let mut state = 4_711_u64;
    let mut draw = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut values = Vec::with_capacity(n * m);
    for _ in 0..n {
        let row: Vec<f64> = (0..m).map(|_| (4.0 * (draw() - 0.5)).exp()).collect();
        let sum: f64 = row.iter().sum();
        values.extend(row.iter().map(|b| b / sum));
    }
    Probabilities::new(values, m).unwrap()
}

/// The first rows.
fn some(population: &Probabilities, n: usize) -> Probabilities {
    let values = (0..n).flat_map(|row| population.row(row)).collect();
    Probabilities::new(values, population.n_classes()).unwrap()
}

/// A linear-diagonal metric of the whole population: what each right answer is worth, expected.
fn worth(population: &Probabilities, beta: &[f64], weights: &Weights) -> f64 {
    let predicted = weights.predict(population).unwrap();
    let worth = |(row, &class): (usize, &usize)| beta[class] * population.get(row, class);
    predicted.iter().enumerate().map(worth).sum::<f64>() / population.n_rows() as f64
}

fn names(m: usize) -> Vec<String> {
    (0..m).map(|k| format!("c{k}")).collect()
}

fn distance(weights: &Weights, beta: &[f64]) -> f64 {
    weights.as_slice().iter().zip(beta).map(|(w, b)| (w - b).abs()).sum()
}

/// Asks and answers `batch` queries at a time, with a reloaded session each time, until none is left.
fn finish(mut session: Session, batch: usize, value: impl Fn(&Weights) -> f64) -> Session {
    loop {
        let queries = session.ask(batch).unwrap();
        if queries.is_empty() {
            return session;
        }
        assert!(queries.len() <= batch);
        for query in queries {
            session.tell(query.id, value(&query.weights), None).unwrap();
            let text = session.to_json();
            session = Session::from_json(&text).unwrap();
            assert_eq!(session.to_json(), text);
        }
    }
}

#[test]
fn a_hidden_beta_is_recovered_by_restricted_queries() {
    let population = population(20_000, 5);
    for beta in [[0.1, 0.3, 0.15, 0.25, 0.2], [0.3, 0.05, 0.4, 0.05, 0.2], [0.2; 5]] {
        let value = |weights: &Weights| worth(&population, &beta, weights);
        let recipe = || Elicitation::new(5, Mode::Restricted, 120).unwrap().quasi_concave(true);
        let with_rows = recipe().population(some(&population, 500)).unwrap();
        for (recipe, batch) in [(recipe(), 1), (recipe(), 4), (with_rows, 4)] {
            let said = recipe.count();
            let session = finish(Session::start(names(5), recipe).unwrap(), batch, value);
            let elicited = session.elicited().unwrap();
            let distance = distance(&elicited.weights, &beta);
            assert!(distance < 0.005, "{distance} {:?}", elicited.weights);
            assert!(elicited.is_done && elicited.queries == session.queries().len());
            assert!(elicited.queries <= 80, "{}", elicited.queries);
            assert!(said.is_none_or(|said| said == 64 && elicited.queries == said), "{}", elicited.queries);
        }
    }
}

#[test]
fn pairs_are_independent_of_the_order_of_their_answers() {
    let population = population(2_000, 4);
    let value = |weights: &Weights| worth(&population, &[0.4, 0.1, 0.3, 0.2], weights);
    let session = || Session::start(names(4), Elicitation::new(4, Mode::Restricted, 60).unwrap()).unwrap();
    let [one, three] = [1, 3].map(|batch| finish(session(), batch, value).elicited().unwrap());
    assert_eq!(one, three);
    assert_eq!(session().ask(10).unwrap().len(), 3); // no more than one of each pair
}

#[test]
fn safe_queries_climb_and_never_fall_far() {
    let population = population(4_000, 4);
    let beta = [0.45, 0.1, 0.3, 0.15];
    let value = |weights: &Weights| worth(&population, &beta, weights);
    let clean = value(&Weights::uniform(4).unwrap());
    let best = value(&Weights::new(beta.to_vec()).unwrap());
    let known = some(&population, 500);
    for quasi_concave in [false, true] {
        for is_known in [false, true] {
            let recipe = Elicitation::new(4, Mode::Safe, 90).unwrap().quasi_concave(quasi_concave);
            let recipe = if is_known { recipe.population(known.clone()).unwrap() } else { recipe };
            let session = finish(Session::start(names(4), recipe).unwrap(), 1, value);
            let elicited = session.elicited().unwrap();
            let reached = elicited.value.unwrap().mean;
            assert_eq!(reached, value(&elicited.weights));
            assert_eq!(elicited.clean.unwrap().mean, clean);
            let gained = (reached - clean) / (best - clean);
            assert!(gained > 0.9, "{quasi_concave} {is_known} {gained} {:?}", elicited.weights);
            let lowest = session.queries().iter().map(|query| value(&query.weights)).fold(f64::MAX, f64::min);
            let (lost, most) = (clean - lowest, if is_known { 0.5 } else { 3.0 });
            assert!(lost <= most * (best - clean), "{quasi_concave} {is_known}: {lost} of {}", best - clean);
        }
    }
}

/// A bell curve, by a sum of even draws.
fn noise(seed: u64, query: u64) -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ query.wrapping_mul(0xD1B5_4A32_D192_ED03);
    let sum: f64 = (0..12)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        })
        .sum();
    sum - 6.0
}

#[test]
fn noisy_answers_lead_up_the_hill_all_the_same() {
    let population = population(4_000, 3);
    let beta = [0.6, 0.1, 0.3];
    let value = |weights: &Weights| worth(&population, &beta, weights);
    let clean = value(&Weights::uniform(3).unwrap());
    let best = value(&Weights::new(beta.to_vec()).unwrap());
    let sd = 0.15 * (best - clean);
    let mut gains = Vec::new();
    for (seed, has_se) in (0..20).map(|seed| (seed, seed % 2 == 0)) {
        let recipe = Elicitation::new(3, Mode::Safe, 80).unwrap().repeats(if has_se { 1 } else { 2 });
        let mut session = Session::start(names(3), recipe).unwrap();
        while let Some(query) = session.ask(1).unwrap().first().cloned() {
            let told = value(&query.weights) + sd * noise(seed, query.id);
            session.tell(query.id, told, has_se.then_some(sd)).unwrap();
        }
        assert!(session.queries().len() <= 80);
        let elicited = session.elicited().unwrap();
        gains.push((value(&elicited.weights) - clean) / (best - clean));
    }
    let mean = gains.iter().sum::<f64>() / gains.len() as f64;
    assert!(mean > 0.75 && gains.iter().all(|gain| *gain > 0.2), "{mean} {gains:?}");
}

#[test]
fn an_answer_counts_once_and_nothing_else_is_taken() {
    let recipe = Elicitation::new(3, Mode::Restricted, 20).unwrap();
    let mut session = Session::start(names(3), recipe).unwrap();
    let asked = session.ask(2).unwrap();
    assert_eq!(asked.iter().map(|query| query.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(session.ask(2).unwrap(), asked); // asked again, as after a crash
    session.tell(2, 0.5, None).unwrap();
    session.tell(2, 0.5, None).unwrap();
    assert_eq!(session.tell(2, 0.6, None), Err(SessionError::ToldBefore { id: 2, told: 0.5 }));
    assert_eq!(session.tell(7, 0.6, None), Err(SessionError::UnknownQuery { id: 7, open: vec![1] }));
    for (value, se) in [(f64::NAN, None), (f64::INFINITY, None), (0.5, Some(-1.0)), (0.5, Some(f64::NAN))] {
        assert!(matches!(session.tell(1, value, se), Err(SessionError::Invalid(Error::BadAnswer { .. }))));
    }
    assert_eq!(session.elicited().unwrap().queries, 1);
    assert_eq!(session.ask(1).unwrap()[0].id, 1);
}

#[test]
fn no_more_is_asked_than_the_budget_allows() {
    for (mode, budget) in [(Mode::Restricted, 9), (Mode::Restricted, 6), (Mode::Safe, 7), (Mode::Safe, 20)] {
        for quasi_concave in [false, true] {
            let recipe = Elicitation::new(4, mode, budget).unwrap().quasi_concave(quasi_concave);
            let session =
                finish(Session::start(names(4), recipe).unwrap(), 5, |weights| -weights.as_slice()[0].abs());
            assert_eq!(session.queries().len(), budget, "{mode:?} {budget}");
            assert!(!session.elicited().unwrap().is_done);
        }
    }
    assert_eq!(
        Elicitation::new(4, Mode::Restricted, 5).unwrap_err(),
        Error::BadBudget { budget: 5, least: 6 }
    );
}

#[test]
fn an_oracle_that_fails_is_not_asked_on() {
    let mut asked = 0;
    let mut oracle = |_: &Weights, _: usize| -> Result<Option<Answer>, Error> {
        asked += 1;
        Ok(Some(Answer::exact(f64::NAN)))
    };
    let recipe = Elicitation::new(3, Mode::Safe, 20).unwrap();
    assert!(matches!(recipe.run(&mut oracle), Err(Error::BadAnswer { .. })));
    assert_eq!(asked, 1);
}

#[test]
fn other_files_are_refused() {
    let session = Session::start(names(3), Elicitation::new(3, Mode::Safe, 20).unwrap()).unwrap();
    let text = session.to_json();
    for (from, to) in [
        ("cwplugin-session", "cwplugin-model"),
        ("\"version\": 1", "\"version\": 2"),
        ("\"reference\": \"c2\"", "\"reference\": \"x\""),
        ("\"budget\": 20", "\"budget\": 1"),
        ("\"precision\": 0.01", "\"precision\": -1"),
        ("\"mode\": \"safe\"", "\"mode\": \"brave\""),
        ("\"queries\": []", "\"queries\": [{\"id\": 3, \"weights\": [1, 1, 1]}]"),
    ] {
        assert!(text.contains(from), "{from} {text}");
        assert!(Session::from_json(&text.replace(from, to)).is_err(), "{to}");
    }
}
