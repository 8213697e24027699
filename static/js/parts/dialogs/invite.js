// Invite links.

import { openDialog } from './dialog.js';
import { dialogwords } from './words.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';
import { strings } from '../../strings.js';

/** @typedef {import('../../state.js').State} State */

/**
 * Fetches the invite links and shows them, to copy or share.
 * @param {State} s
 * @param {string} [intro] the text above them
 */
export async function openInvite(s, intro = dialogwords.invite.intro) {
  const body = el(
    'div', { class: 'links', 'aria-live': 'polite' },
    el('p', { class: 'quiet' }, strings.link.connecting),
  );
  openDialog(
    s.page.main, 'invite', dialogwords.invite.title, dialogwords.invite.close, el('p', {}, intro),
    body,
  );
  try {
    const answer = await fetch(`${s.api}/invites`, { headers: { Accept: 'application/json' } });
    if (answer.status === 403) throw new Error(dialogwords.invite.forbidden);
    if (!answer.ok) throw new Error(dialogwords.invite.failed);
    const links = await answer.json();
    body.replaceChildren(
      linkBox(s, 'player', dialogwords.invite.player, links.player),
      linkBox(s, 'spectator', dialogwords.invite.spectator, links.spectator),
    );
    body.querySelector('button')?.focus();
  } catch (e) {
    const said = [dialogwords.invite.forbidden, dialogwords.invite.failed];
    const text = e instanceof Error && said.includes(e.message)
      ? e.message
      : dialogwords.invite.failed;
    body.replaceChildren(el('p', { class: 'problem', role: 'alert' }, text));
  }
}

/**
 * Makes a box with a link to copy or share.
 * @param {State} s
 * @param {string} name
 * @param {string} label
 * @param {string} url
 * @param {(title: string) => string} [words] returns the text to share with the link
 */
export function linkBox(s, name, label, url, words = dialogwords.invite.shareText) {
  const input = el('input', {
    type: 'text',
    readonly: true,
    id: `link-${name}`,
    value: url,
    onfocus: () => input.select(),
  });
  const text = el('span', { 'aria-live': 'polite' }, dialogwords.invite.copy);
  const copy = el(
    'button',
    {
      type: 'button',
      class: 'primary',
      onclick: async () => {
        await copyText(input, url);
        text.textContent = dialogwords.invite.copied;
      },
    },
    icon('copy'),
    text,
  );
  const share = el(
    'button',
    {
      type: 'button',
      class: 'secondary',
      hidden: typeof navigator.share !== 'function',
      onclick: () => {
        const title = s.sync.info?.title ?? '';
        // The person cancelled it.
        navigator.share({ title, text: words(title), url }).catch(() => {});
      },
    },
    icon('share'),
    dialogwords.invite.share,
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
