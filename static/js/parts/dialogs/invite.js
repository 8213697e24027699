// Invite links.

import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */

/**
 * Fetches the invite links and shows them, to copy or share.
 * @param {State} s
 * @param {string} [intro] the text above them
 */
export async function openInvite(s, intro = msg('dialogs.invite.intro')) {
  const body = el(
    'div', { class: 'links', 'aria-live': 'polite' },
    el('p', { class: 'quiet' }, msg('core.link.connecting')),
  );
  openDialog(
    s.page.main, 'invite', msg('dialogs.invite.title'), msg('dialogs.invite.close'),
    el('p', {}, intro),
    body,
  );
  try {
    const answer = await fetch(`${s.api}/invites`, { headers: { Accept: 'application/json' } });
    if (answer.status === 403) throw new Error(msg('dialogs.invite.forbidden'));
    if (!answer.ok) throw new Error(msg('dialogs.invite.failed'));
    const links = await answer.json();
    body.replaceChildren(
      linkBox(s, 'player', msg('dialogs.invite.player'), links.player),
      linkBox(s, 'spectator', msg('dialogs.invite.spectator'), links.spectator),
    );
    body.querySelector('button')?.focus();
  } catch (e) {
    const said = [msg('dialogs.invite.forbidden'), msg('dialogs.invite.failed')];
    const text = e instanceof Error && said.includes(e.message)
      ? e.message
      : msg('dialogs.invite.failed');
    body.replaceChildren(el('p', { class: 'problem', role: 'alert' }, text));
  }
}

/** The text to share with the link of a table. @param {string} title */
const shareText = (title) => msg('dialogs.invite.shareText', { title });

/**
 * Makes a box with a link to copy or share.
 * @param {State} s
 * @param {string} name
 * @param {string} label
 * @param {string} url
 * @param {(title: string) => string} [textFor] returns the text to share with the link
 */
export function linkBox(s, name, label, url, textFor = shareText) {
  const input = el('input', {
    type: 'text',
    readonly: true,
    id: `link-${name}`,
    value: url,
    onfocus: () => input.select(),
  });
  const text = el('span', { 'aria-live': 'polite' }, msg('dialogs.invite.copy'));
  const copy = el(
    'button',
    {
      class: 'primary',
      onclick: async () => {
        await copyText(input, url);
        text.textContent = msg('dialogs.invite.copied');
      },
    },
    icon('copy'),
    text,
  );
  const share = el(
    'button',
    {
      class: 'secondary',
      hidden: typeof navigator.share !== 'function',
      onclick: () => {
        const title = s.sync.info?.title ?? '';
        // The person cancelled it.
        navigator.share({ title, text: textFor(title), url }).catch(() => {});
      },
    },
    icon('share'),
    msg('dialogs.invite.share'),
  );
  return el(
    'div', { class: 'link' }, el('label', { for: `link-${name}` }, label), input,
    el('span', { class: 'link-buttons' }, copy, share),
  );
}

/**
 * Copies a text. Without a secure context there is no clipboard API, so the old command copies it.
 * @param {HTMLInputElement} input
 * @param {string} text
 */
async function copyText(input, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    input.select();
    document.execCommand('copy');
  }
}
