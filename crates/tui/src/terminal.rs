//! What a terminal sends, in our words.

use ratatui::crossterm::event::{
    Event as Sent, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use crate::{Event, Key};

/// What this means, if anything.
pub(crate) fn translate(sent: &Sent) -> Option<Event> {
    match sent {
        Sent::Key(key) if key.kind != KeyEventKind::Release => Some(Event::Key(pressed(key)?)),
        Sent::Mouse(mouse) => match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => Some(Event::Click(mouse.column, mouse.row)),
            MouseEventKind::ScrollUp => Some(Event::Wheel(-1)),
            MouseEventKind::ScrollDown => Some(Event::Wheel(1)),
            _ => None,
        },
        Sent::Resize(columns, rows) => Some(Event::Resize(*columns, *rows)),
        _ => None,
    }
}

fn pressed(key: &KeyEvent) -> Option<Key> {
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c' | 'd') if with_control => Key::Interrupt,
        KeyCode::Char(_) if with_control || key.modifiers.contains(KeyModifiers::ALT) => return None,
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Tab | KeyCode::BackTab => Key::Tab,
        KeyCode::Backspace | KeyCode::Delete => Key::Backspace,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Home | KeyCode::PageUp => Key::Home,
        KeyCode::End | KeyCode::PageDown => Key::End,
        _ => return None,
    })
}
