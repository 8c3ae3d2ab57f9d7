// The list of all sentences that the program says, one per field of a language's `says`. Both the reader of the YAML
// files and the program are made from it, so that a language without one of them does not build.
sentences! {
    /// The language's name, in English.
    name,
    /// Tells a model in which language to answer.
    answer_in,
    /// The offer to ask for an ability.
    gap,
    /// The same for an ability that the library of skills has, or that a line names; `{wish}`: the ability.
    gap_for,
    /// `{line}`: a line that does what was wished for already.
    can_already,
    /// Asks whether a line means another; `{line}`: the other, which is done behind a yes.
    do_you_mean,
    /// To somebody who said `knock knock`; `{who}`: who is there.
    knock_who,
    /// Neither a request nor small talk.
    unknown,
    /// The same, said the second and the third time.
    unknown_again,
    /// See above.
    unknown_still,
    /// To a remark, which asks for nothing.
    heard,
    /// The same, said another time.
    heard_again,
    /// A question that neither a tool nor the memory answers.
    unknown_question,
    /// The same, said another time.
    unknown_question_again,
    /// Speaks of itself.
    about_me,
    /// The same, said another time.
    about_me_again,
    /// To a person who says how they feel.
    feeling,
    /// The same, said another time.
    feeling_again,
    /// Asks which ability is wanted.
    learn_what,
    /// How a wish is expressed by examples.
    examples_how,
    /// Where the question stands that examples leave open.
    examples_more,
    /// Says hello.
    greeting,
    /// Answers thanks.
    thanks,
    /// Takes leave.
    goodbye,
    /// How the assistant is.
    how_are_you,
    /// Who the assistant is.
    who_are_you,
    /// What it can do without tools.
    capabilities_none,
    /// Before the list of tools.
    capabilities,
    /// After the list of tools.
    capabilities_end,
    /// Sentences that work without any tool, divided by ` | `.
    capabilities_own,
    /// `{line}`: a sentence that can be said.
    example,
    /// What it never may.
    limits,
    /// `{names}`: what was asked for and is not there yet.
    limits_open,
    /// Nothing is remembered about what was asked.
    nothing_known,
    /// Nothing is remembered at all.
    nothing_at_all,
    /// Before the list of facts.
    all_known,
    /// `{count}`: how many facts are not shown.
    all_known_more,
    /// `{fact}`: a fact in the person's own words.
    quoted,
    /// What is remembered from now on, `{fact}`, after the person put it right.
    corrected,
    /// `{fact}`: no fact answers the question; this one comes nearest.
    unsure,
    /// A fact is kept.
    remembered,
    /// A fact is to be forgotten.
    forgotten,
    /// A yes to nothing.
    confirm,
    /// A no.
    decline,
    /// `{wish}`: asks back.
    ask_to_learn,
    /// The companion writes no free text.
    cannot_write,
    /// There is no model.
    no_model,
    /// A model's tool calls cannot be read, and the companion answers.
    calls_unread,
    /// An answer ended before its end.
    broke_off,
    /// `{why}`: a provider did not answer; `{who}` does.
    in_its_place,
    /// `{who}`: a provider that did not answer does again.
    is_back,
    /// `{rounds}`: too many rounds of tool calls.
    too_many_rounds,
    /// The same call came again and again.
    in_circles,
    /// The model said nothing.
    no_answer,
    /// `{why}`: something failed.
    did_not_work,
    /// Nothing was found to be forgotten.
    nothing_like_that,
    /// `{facts}`: what was forgotten.
    forgot,
    /// `{count}`: asks whether all facts are to be forgotten.
    forget_all,
    /// `{count}`: all facts are forgotten.
    forgot_all,
    /// The skill `memory` is missing.
    no_memory,
    /// The skill `proposer` is missing.
    no_proposer,
    /// The proposer may not write.
    no_outbox,
    /// `{name}`, `{id}`, `{asks}`, `{how}`: a proposal was written.
    wrote_proposal,
    /// `{why}`: a proposal could not be written.
    not_written,
    /// `{name}`: the skill is there already.
    learned_already,
    /// `{name}`, `{id}`, `{status}`, `{waits}`, `{how}`: there is a proposal already.
    asked_already,
    /// `{when}`, `{who}`, `{why}`, `{count}`: a person refused the same before.
    refused_before,
    /// `{name}`, `{how}`: a package waits for an approver.
    ready,
    /// `{name}`: no service has looked at a proposal.
    not_looked_at,
    /// `{what}`: what a proposal waits for.
    waits_for,
    /// A proposal without any right.
    asks_nothing,
    /// `{tokens}`: the rights that a proposal asks for.
    asks_for,
    /// `{name}`, `{id}`, `{asks}`, `{what}`: a proposal was written that discovery rejects automatically, for what is missing.
    wrote_lacking,
    /// `{what}`: a tool's answer, of which the guard held a part back.
    part_held_back,
    /// `{topic}`: no service is configured.
    no_service,
    /// A wish for news names no feed.
    no_feed,
    /// To a minor whose line tells of an emergency.
    need_emergency_minor,
    /// The same to an adult.
    need_emergency,
    /// To a minor whose line tells of self-harm.
    need_self_harm_minor,
    /// The same to an adult.
    need_self_harm,
    /// To a minor whose line tells of abuse.
    need_abuse_minor,
    /// The same to an adult.
    need_abuse,
    /// To somebody who fears for another.
    need_another,
    /// To a line that continues about an emergency.
    need_after_emergency,
    /// The same about self-harm.
    need_after_self_harm,
    /// The same about abuse.
    need_after_abuse,
    /// The same about another for whom somebody fears.
    need_after_another,
    /// To a child, after hours of talk.
    need_pause,
    /// A quiet time holds.
    talk_quiet,
    /// The day's minutes of talk are used up.
    talk_minutes,
    /// The day's tokens are used up.
    talk_tokens,
    /// How much was talked cannot be noted.
    talk_unkept,
    /// Few minutes of talk are left.
    talk_minutes_left,
    /// Few tokens are left.
    talk_tokens_left,
    /// A quiet time begins soon.
    talk_quiet_soon,
    /// A fact is kept that nobody asked to keep.
    noted,
    /// An order to give itself a right, or to undo what holds it.
    bypass,
    /// A wish that would harm others.
    harm,
    /// A wish for sound or speech.
    no_sound,
    /// A wish to talk by voice, where nothing hears or speaks.
    no_voice,
    /// A wish for a pin, where nothing has pins.
    no_pins,
    /// A wish for mail, messages or calls.
    no_mail,
    /// A wish that needs a model, where none is set up.
    learns_by_model,
    /// A reminder whose moment is not understood, and a wish for an alarm or a calendar.
    no_timer,
    /// `{when}`, `{what}`: a reminder that was set or moved.
    remind_set,
    /// Before the list of reminders.
    remind_list,
    /// `{when}`, `{what}`: a reminder that was set before, in the same words.
    remind_known,
    /// A reminder that is not moved: its new moment is over, or not understood.
    remind_unmoved,
    /// `{why}`: the file of the reminders can be neither read nor changed.
    remind_unread,
    /// There is no reminder.
    remind_none,
    /// `{what}`, `{span}`, `{when}`: how long it is until a reminder.
    remind_left,
    /// `{day}`: there is no reminder on that day.
    remind_none_on,
    /// A moment that is counted from a day that nobody told.
    remind_unanchored,
    /// `{list}`: not one reminder is meant.
    remind_which,
    /// `{what}`: reminders that were cancelled.
    remind_gone,
    /// `{most}`: there are as many as are kept.
    remind_full,
    /// A moment that is over.
    remind_past,
    /// `{what}`: a reminder that is due.
    remind_now,
    /// `{when}`, `{what}`: one that was due while nobody was there.
    remind_away,
    /// `{what}`: the rest of a line of which a timer is set.
    rest_undone,
    /// Moments, divided by ` | `: `{time}` of this day; the same of `{day}`; of every day; of every `{days}`; each `{minutes}`; `{day}`
    /// of each month, and where not each month has it; the same each `{every}` weeks and months, with the `{next}` day.
    remind_when,
    /// What a timer says.
    remind_label,
    /// Of `{name}`, over at `{when}`, divided by ` | `: it answered; it waits; it failed. Then: `{count}` runs before it, the cut.
    scheduled,
    /// A wish for a translation.
    no_translate,
    /// A wish for what only the web knows.
    no_web,
    /// A wish to buy, book or order.
    no_order,
    /// A wish for lights, doors and other devices.
    no_devices,
    /// Which fact is to be forgotten.
    forget_which,
    /// Who can read what is typed.
    privacy,
    /// Which file is meant, and how to say it.
    which_file,
    /// It reads typed lines and hears nothing.
    can_you_hear,
    /// To a line that is meant in fun.
    fun,
    /// To a person who tells a sad event.
    comfort,
    /// Before what earlier conversations were about.
    past,
    /// One of them: `{weekday}`, `{day}`, `{month}`, `{about}`.
    past_row,
    /// There is none from then.
    past_none,
    /// What the person said: `{text}`, `{day}`, `{month}`, `{year}`.
    found_you,
    /// What the program said.
    found_me,
    /// What the person told to be kept.
    found_fact,
    /// What came from a tool, a skill or a file.
    found_outside,
    /// Nothing is about `{query}`.
    found_nothing,
    /// To a person who tells a glad event.
    joy,
    /// To a person who asks for an expert's advice.
    advice,
    /// To a line that says too little.
    unclear,
    /// To a person who says sorry.
    sorry,
    /// How something new is learned, and who decides on it.
    learning,
    /// The same to a child.
    learning_minor,
    /// Where workflows are listed and started.
    workflows,
    /// The same to a child.
    workflows_minor,
    /// A wish to delete files.
    no_delete,
    /// Before the list of wishes.
    proposals,
    /// No wish yet.
    proposals_none,
    /// `{what}`, `{status}`: a wish and where it stands.
    proposal_row,
    /// A wish that a person has not decided yet.
    proposal_waits,
    /// A wish that a person said yes to.
    proposal_accepted,
    /// A wish that was refused.
    proposal_rejected,
    /// `{sum}`, `{result}`: a sum.
    sum,
    /// The same, rounded.
    sum_about,
    /// A division by zero.
    sum_zero,
    /// A sum whose result is too large.
    sum_too_large,
    /// `{place}`: no time is known there.
    no_place,
    /// `{answer}`: the date, after a no.
    date_no,
    /// `{answer}`: the date, after a yes.
    date_yes,
    /// `{weekday}`, `{day}`, `{month}`, `{year}`: the date of another day.
    date_other,
    /// `{path}`: the file does not exist.
    no_file,
    /// No file has a line with the words `{query}`.
    no_hits,
    /// A folder with nothing in it that may be read.
    no_files,
    /// A path that is not in the workspace.
    outside_file,
    /// A tool was refused by the rules.
    not_allowed,
    /// The same to a child.
    not_allowed_minor,
    /// The emergency stop holds.
    stopped,
    /// No grant names the host of a page.
    no_host,
    /// No grant names a file.
    no_path,
    /// `{name}`: to a child, that a wish is written down, or was before.
    wrote_proposal_minor,
    /// To a child, that something is missing or broken.
    broken_minor,
    /// The first lines of a conversation with a child or a pupil; `{profile}`: the profile.
    banner_minor,
    /// Asks for the PIN of a profile, `{profile}`.
    pin,
    /// A PIN was wrong and is asked for again.
    pin_wrong,
    /// The same as `no_service`, to a child.
    no_service_minor,
    /// A tool needs a yes that nobody gives here.
    needs_yes,
    /// A call to which a person said no.
    said_no,
    /// The same, for a child.
    said_no_minor,
    /// Before a call: `{tool}` of `{skill}`, which is `{origin}`, with its `{risk}` and the `{reason}` to ask.
    approval,
    /// `{to}`: whom it reaches, in the rows of `approval`.
    approval_to,
    /// `{origin}` of a skill that was learned.
    origin_learned,
    /// `{origin}` of a skill that is part of the program.
    origin_own,
    /// A call without arguments.
    no_arguments,
    /// Before the arguments.
    arguments,
    /// `{count}`: bytes that are not shown.
    more_bytes,
    /// The person typed all of the arguments.
    all_typed,
    /// Before the words that nobody typed.
    not_typed,
    /// `{count}`: further words.
    more_words,
    /// Asks for a yes.
    approve,
    /// The same where not everything was shown: `v` shows it.
    approve_cut,
    /// A yes to what was not shown.
    approve_unseen,
    /// What counts as a yes, divided by blanks.
    yes,
    /// `{time}`: the time.
    time,
    /// `{weekday}`, `{day}`, `{month}`, `{year}`: the date.
    date,
    /// `{span}` from today to `{day}`.
    span_until,
    /// `{span}` from `{day}` to today.
    span_since,
    /// `{span}` between `{from}` and `{until}`.
    span_between,
    /// `{weekday}`, `{day}`, `{month}`, `{year}`: a day within a sentence.
    span_day,
    /// One and several of: day, week, month, year, hour, minute, divided by ` | `.
    span_units,
    /// `{week}`: the number of a calendar week.
    week,
    /// `{years}`: somebody's age.
    age,
    /// `{less}`, `{years}`: the age of somebody whose year of birth alone is known.
    age_by_year,
    /// `{year}`: the year in which somebody was born.
    born,
    /// `{less}`, `{year}`: the same where the birthday is not known.
    born_by_age,
    /// To a no behind what may be done already.
    too_late,
    /// `{bytes}`, `{path}`: a file was written.
    wrote_file,
    /// `{bytes}`, `{path}`, `{size}`: something was added to a file.
    added_to_file,
    /// `{name}`, `{size}`: a picture waits for the next line.
    picture_waits,
    /// To pictures where no model answers.
    no_picture,
    /// To texts that go with a line where no model answers.
    no_text,
}
