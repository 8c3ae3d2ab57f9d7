//! The whole window: a bar on top, the queue, package or question, and what there is to say below.

use base::lock;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line as Row;
use review::pages::line::{Line, Origin, Tone};

use super::app::{App, Front};
use super::bar;
use super::wrap::{pieces, wrap};

/// The least window, in columns and rows, in which a question and its facts stand together.
pub const LEAST: (u16, u16) = (50, 14);

impl App {
    /// Draws the console.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        self.too_small = area.width < LEAST.0 || area.height < LEAST.1;
        if self.too_small {
            let words = format!(
                "This window is too small: {}x{}; the review needs {}x{}. Q leaves.",
                area.width, area.height, LEAST.0, LEAST.1
            );
            let line = Line::new(Origin::Facts, Tone::Strong, &words);
            let rows: Vec<_> = wrap(&line, &pieces(&line, self.look), 0, area.width);
            bar::draw(&rows.into_iter().map(|w| w.row).collect::<Vec<_>>(), area, frame.buffer_mut());
            return;
        }
        let line = Line::new(Origin::Facts, Tone::Plain, &self.hint());
        let said: Vec<_> = wrap(&line, &pieces(&line, self.look), 0, area.width);
        let height = Constraint::Length(u16::try_from(said.len()).unwrap_or(1).min(4));
        let [top, body, below] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(3), height]).areas(area);
        frame.buffer_mut().set_style(top, self.look.bar());
        bar::draw(&[Row::from(self.title())], top, frame.buffer_mut());
        bar::draw(&said.into_iter().map(|w| w.row).collect::<Vec<_>>(), below, frame.buffer_mut());
        self.draw_body(frame, body);
    }

    fn draw_body(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let look = self.look;
        match (&mut self.front, &mut self.view) {
            (Some(Front::Form(form)), _) => form.draw(frame, area, look),
            (Some(Front::Notice(reader)), _) => {
                let [head, gap, body] =
                    Layout::vertical([Constraint::Length(1), Constraint::Length(1), Constraint::Min(1)])
                        .areas(area);
                let heading = Row::styled(reader.page().heading.as_ref(), look.tone(Tone::Strong));
                bar::draw(&[heading], head, frame.buffer_mut());
                bar::draw(&[Row::from(look.rule(gap.width))], gap, frame.buffer_mut());
                reader.draw(body, frame.buffer_mut());
            }
            (_, Some(view)) => view.draw(frame, area, look),
            (_, None) => {
                let served = lock::holder(self.desk.home()).is_some();
                self.queue.draw(frame, area, look, Timestamp::now(), served);
            }
        }
    }

    fn title(&self) -> String {
        let (words, who) = (self.look.words, self.approver().as_str());
        let Some(view) = &self.view else {
            return format!(" {}: {}", words.fill("title", &[("who", who)]), self.queue.words(words));
        };
        let item = &view.package().item;
        let all = self.queue.waiting().to_string();
        let place = match self.queue.place(&item.id) {
            Some(at) => words.fill("place", &[("at", &at.to_string()), ("all", &all)]),
            None => words.say("not-ready").to_owned(),
        };
        let facts = [("who", who), ("name", &item.name), ("profile", &item.profile), ("place", &place)];
        format!(" {}", words.fill("title-of", &facts))
    }

    /// The last line: what was just said, or which keys there are.
    fn hint(&self) -> String {
        if !self.status.is_empty() {
            return self.status.clone();
        }
        let words = self.look.words;
        match (&self.front, &self.view) {
            (Some(Front::Work(work, _)), _) => work.sign(),
            (Some(Front::Notice(reader)), _) => format!("Enter continues   {}", reader.place()),
            (Some(Front::Form(form)), _) if form.quiet_until().is_some() => {
                words.say("hint-quiet").to_owned()
            }
            (Some(Front::Form(_)), _) => words.say("hint-form").to_owned(),
            (None, Some(view)) => match (view.package().is_decidable(), view.package().item.waits_for) {
                (true, _) => words.say("hint-package").to_owned(),
                (false, Some(_)) if view.is_at_gate() => words.say("hint-gate").to_owned(),
                (false, Some(wait)) => words.fill("hint-waits", &[("wait", wait.as_str())]),
                (false, None) => words.say("hint-works").to_owned(),
            },
            (None, None) => words.say("hint-queue").to_owned(),
        }
    }
}
