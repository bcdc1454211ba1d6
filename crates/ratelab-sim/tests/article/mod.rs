//! Worked examples: what the article says, counted by hand.

use ratelab_core::{Failure, JobEnd, Outcome, Record, Site, Status};

use crate::{Story, play, scenario, scenarios};

fn count(story: &Story, what: impl Fn(&Record) -> bool) -> usize {
    story.iter().filter(|(_, _, record)| what(record)).count()
}

fn requests(story: &Story) -> usize {
    count(story, |record| matches!(record, Record::Request { .. }))
}

fn answers(story: &Story, wanted: u16, at: Site) -> usize {
    count(story, |record| {
        matches!(record, Record::Answer { outcome: Outcome::Answer { status, .. }, site, .. }
            if *status == Status(wanted) && *site == at)
    })
}

/// Four workers in a closed loop against a server that takes one request a second.
fn fleet(rest: &str) -> String {
    format!(
        "question = \"q\"\nduration = \"10s\"\n{rest}\n[fleet]\nworkers = 4\n\
         jobs = {{ closed-loop = {{ think = \"1s\" }} }}\n\
         [server]\nbudget = {{ token-bucket = {{ rate = \"1/s\" }} }}\n"
    )
}

#[test]
fn a_fixed_retry_sends_forty_into_ten_seconds() {
    let text = "question = \"q\"\nduration = \"60s\"\n[fleet]\nworkers = 4\n[retry]\n\
                backoff = { fixed = { wait = \"1s\" } }\n[[server.outage]]\nfrom = \"0s\"\n\
                until = \"10s\"\nreply = { status = 429 }\n";
    let story = play(&scenario(text), 1);
    let outage = story.iter().filter(|(at, _, record)| {
        at.as_secs_f64() < 10.0 && matches!(record, Record::Request { .. })
    });
    assert_eq!(outage.count(), 40);
    assert_eq!(requests(&story), 44, "and the four that succeed");
    assert_eq!(
        count(&story, |r| matches!(
            r,
            Record::JobEnded {
                end: JobEnd::Done,
                ..
            }
        )),
        4
    );
}

#[test]
fn four_workers_at_one_a_second_send_forty_and_are_refused_thirty_times() {
    let story = play(&scenario(&fleet("")), 1);
    let (done, refused) = (
        answers(&story, 200, Site::Server),
        answers(&story, 429, Site::Server),
    );
    assert_eq!((requests(&story), done, refused), (40, 10, 30));
}

#[test]
fn a_sidecar_lets_twelve_through_and_refuses_at_the_door() {
    let gate = "gate = { sidecar = { limiter = { nginx = { rate = \"1/s\", burst = 2, \
                nodelay = true } } } }";
    let story = play(&scenario(&fleet(gate)), 1);
    assert_eq!(requests(&story), 12);
    assert_eq!(answers(&story, 429, Site::Sidecar), 28);
    assert_eq!(
        answers(&story, 429, Site::Server),
        2,
        "the origin's burst is one, not three"
    );
}

#[test]
fn workers_take_turns_at_a_shared_bucket() {
    let text = "question = \"q\"\nduration = \"9s\"\n[fleet]\nworkers = 4\n\
                jobs = { closed-loop = {} }\n[network]\none-way = \"5ms\"\n[gate.shared]\n\
                limiter = { token-bucket = { rate = \"1/s\" } }\n\
                store = { round-trip = \"2ms\" }\n";
    let story = play(&scenario(text), 1);
    let senders: Vec<u32> = (story.iter())
        .filter(|(_, _, record)| matches!(record, Record::Request { .. }))
        .map(|(_, worker, _)| worker.0)
        .collect();
    assert_eq!(senders[..8], [0, 1, 2, 3, 0, 1, 2, 3]);
}

#[test]
fn shares_that_start_together_are_refused_together() {
    let share = |start: &str| {
        let text = format!(
            "question = \"q\"\nduration = \"10s\"\n[fleet]\nworkers = 4\n{start}\n\
             jobs = {{ closed-loop = {{}} }}\n[gate.static-share]\nof = 4\n\
             limiter = {{ token-bucket = {{ rate = \"1/s\" }} }}\n\
             [server]\nbudget = {{ token-bucket = {{ rate = \"1/s\" }} }}\n"
        );
        let story = play(&scenario(&text), 1);
        (requests(&story), answers(&story, 429, Site::Server))
    };
    assert_eq!(share("start = \"together\""), (12, 9));
    assert_eq!(share("start = { spread = \"4s\" }"), (10, 0));
}

#[test]
fn a_hanging_server_costs_the_client_its_timeout() {
    let text = "question = \"q\"\nduration = \"20s\"\n[fleet]\nworkers = 1\ntimeout = \"3s\"\n\
                [retry]\nbackoff = { fixed = { wait = \"1s\" } }\n[[server.outage]]\n\
                from = \"0s\"\nuntil = \"5s\"\nhang = true\n";
    let sent: Vec<f64> = (play(&scenario(text), 1).iter())
        .filter(|(_, _, record)| matches!(record, Record::Attempt { .. }))
        .map(|(at, _, _)| at.as_secs_f64())
        .collect();
    assert_eq!(
        sent,
        [0.0, 4.0, 8.0],
        "three seconds of waiting, one of backoff"
    );
}

#[test]
fn a_refused_connection_fails_at_once() {
    let text = "question = \"q\"\nduration = \"20s\"\n[fleet]\nworkers = 1\n[retry]\n\
                backoff = { fixed = { wait = \"1s\" } }\n[[server.outage]]\nfrom = \"0s\"\n\
                until = \"1500ms\"\nrefuse = true\n";
    let story = play(&scenario(text), 1);
    let refused = Outcome::Failed(Failure::ConnectionRefused);
    assert_eq!(
        count(
            &story,
            |r| matches!(r, Record::Answer { outcome, .. } if *outcome == refused)
        ),
        2
    );
    assert_eq!(requests(&story), 3);
}

#[test]
fn work_for_a_client_that_has_gone_is_wasted() {
    let text = "question = \"q\"\nduration = \"20s\"\n[fleet]\nworkers = 3\ntimeout = \"10ms\"\n\
                [network]\none-way = \"20ms\"\n";
    let story = play(&scenario(text), 1);
    assert_eq!(count(&story, |record| matches!(record, Record::Wasted)), 3);
    let late = Outcome::Failed(Failure::TimedOut);
    assert_eq!(
        count(
            &story,
            |r| matches!(r, Record::Answer { outcome, .. } if *outcome == late)
        ),
        3
    );
}

#[test]
fn shuffling_ties_moves_who_wins_and_not_how_many() {
    let text = fleet("ties = \"shuffled\"");
    let winners = |seed| -> Vec<u32> {
        let story = play(&scenario(&text), seed);
        assert_eq!(
            (requests(&story), answers(&story, 200, Site::Server)),
            (40, 10)
        );
        let done = |record: &Record| {
            matches!(
                record,
                Record::JobEnded {
                    end: JobEnd::Done,
                    ..
                }
            )
        };
        story
            .iter()
            .filter(|(_, _, r)| done(r))
            .map(|(_, worker, _)| worker.0)
            .collect()
    };
    assert_ne!(winners(1), winners(2));
}

#[test]
fn the_ideal_arm_is_caught_once_and_comes_back_at_the_budget() {
    let text = "question = \"q\"\nduration = \"60s\"\n[fleet]\nworkers = 4\n[server]\n\
                budget = { token-bucket = { rate = \"1/s\" } }\n[[server.outage]]\nfrom = \"0s\"\n\
                until = \"10s\"\nreply = { status = 503 }\n";
    let ideal = scenarios(text)
        .into_iter()
        .find(|(title, _)| title == "ideal")
        .expect("an arm")
        .1;
    let after: Vec<f64> = (play(&ideal, 1).iter())
        .filter(|(_, _, record)| matches!(record, Record::Request { attempt: 2 }))
        .map(|(at, _, _)| at.as_secs_f64())
        .collect();
    assert_eq!(after, [10.0, 11.0, 12.0, 13.0]);
}

#[test]
fn a_fleet_whose_clock_never_moves_is_told_so() {
    let text = "question = \"q\"\nduration = \"1s\"\n[fleet]\nworkers = 1\n\
                jobs = { closed-loop = {} }\n";
    let mut world = ratelab_sim::World::new(&scenario(text));
    let stuck = world
        .run(ratelab_core::Seed(1), &mut ())
        .expect_err("time stands still");
    assert!(
        stuck.to_string().contains("time stands still at 0s"),
        "{stuck}"
    );
}
