// Invite links.

import { openDialog } from './dialog.js';
import { msg } from './msg.js';
import { confirm } from './confirm.js';
import { firstMessage } from '../../messages.js';
import { drawCode } from './qr.js';
import { hosts } from '../../rights.js';
import { el } from '../../view/dom.js';
import { icon } from '../../view/icons.js';

/** @typedef {import('../../state.js').State} State */

/**
 * The links, and from where they work (http.md, "Where a link leads").
 *
 * @typedef {object} Links
 * @property {string} player
 * @property {string} spectator
 * @property {'machine'|'network'|'public'} reach
 * @property {string[]} [addresses] at which this person may let the server listen, too
 * @property {string} [listen] the flag that does so at the next start
 * @property {{player: string[]|null, spectator: string[]|null}} [codes] QR codes, row by row
 */

/** How many addresses are offered: machines with many have most of them for containers. */
const MOST_ADDRESSES = 3;

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
    show(s, body, await answer.json());
  } catch (e) {
    const said = [msg('dialogs.invite.forbidden'), msg('dialogs.invite.failed')];
    const text = e instanceof Error && said.includes(e.message)
      ? e.message
      : msg('dialogs.invite.failed');
    body.replaceChildren(el('p', { class: 'problem', role: 'alert' }, text));
  }
}

/**
 * Shows the links. Above links that work on this machine only it says what to do.
 * @param {State} s
 * @param {HTMLElement} body
 * @param {Links} links
 */
function show(s, body, links) {
  const { player, spectator, reach, codes } = links;
  const toPlay = linkBox(s, 'player', msg('dialogs.invite.player'), player);
  if (codes?.player) {
    toPlay.classList.add('with-code');
    toPlay.append(drawCode(codes.player, msg('dialogs.invite.code')));
  }
  const toWatch = linkBox(s, 'spectator', msg('dialogs.invite.spectator'), spectator);
  if (hosts(s)) {
    toPlay.querySelector('.link-buttons')?.append(renewButton(s, 'player'));
    toWatch.querySelector('.link-buttons')?.append(renewButton(s, 'spectator'));
  }
  body.replaceChildren(
    ...(reach === 'machine' ? [closed(s, body, links)] : []),
    toPlay,
    toWatch,
    ...(reach === 'network' ? [el('p', { class: 'quiet' }, msg('dialogs.invite.network'))] : []),
  );
  toPlay.querySelector('button')?.focus(); // and not what opens the server
}

/**
 * Makes the button with which a host makes one of the links new. The other one stays.
 * @param {State} s
 * @param {'player'|'spectator'} role
 */
function renewButton(s, role) {
  const renew = async () => {
    const answer = await fetch(`${s.api}/invites?for=${role}`, {
      method: 'POST', headers: { Accept: 'application/json' },
    }).catch(() => null);
    await openInvite(
      s,
      answer?.ok
        ? firstMessage([`dialogs.invite.renewed.${role}`])
        : msg('dialogs.invite.notRenewed'),
    );
  };
  return el(
    'button',
    {
      class: 'secondary', 'data-renews': role,
      onclick: () => confirm(
        s,
        {
          title: firstMessage([`dialogs.invite.renewSure.${role}`]),
          text: msg('dialogs.invite.renewAbout'),
          yes: msg('dialogs.invite.renew'),
        },
        () => void renew(),
      ),
    },
    icon('renew'),
    msg('dialogs.invite.renew'),
  );
}

/**
 * Says that others cannot open the links yet, and offers to change that, or says how.
 * @param {State} s
 * @param {HTMLElement} body
 * @param {Links} links
 */
export function closed(s, body, { addresses = [], listen = '' }) {
  const box = el(
    'div', { class: 'closed', role: 'group', 'aria-labelledby': 'closed' },
    el('p', { id: 'closed', class: 'closed-head' }, msg('dialogs.invite.machine')),
  );
  const failed = el('p', { class: 'problem', role: 'alert', hidden: true });
  if (addresses.length > 0) {
    const buttons = addresses.slice(0, MOST_ADDRESSES).map((address, i) =>
      el(
        'button',
        {
          class: i === 0 ? 'primary' : 'secondary',
          onclick: () => letIn(s, body, address, failed, listen),
        },
        msg('dialogs.invite.open', { address }),
      ));
    box.append(
      el('p', {}, msg('dialogs.invite.mayOpen')),
      el('div', { class: 'link-buttons' }, ...buttons),
      failed,
    );
  } else if (listen && hosts(s)) {
    box.append(
      el('p', {}, msg('dialogs.invite.restart')),
      copyBox('listen', msg('dialogs.invite.command'), `holt --listen ${listen}`),
    );
  } else box.append(el('p', {}, msg('dialogs.invite.operator')));
  return box;
}

/**
 * Lets the server listen at an address of the local network, too, and shows the new links.
 * @param {State} s
 * @param {HTMLElement} body
 * @param {string} address
 * @param {HTMLElement} failed where a failure is shown
 * @param {string} listen
 */
async function letIn(s, body, address, failed, listen) {
  failed.hidden = true;
  try {
    const answer = await fetch(`${s.api}/network`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ address }),
    });
    if (answer.ok) {
      show(s, body, await answer.json());
      return;
    }
    const port = listen.split(':').at(-1) ?? '';
    failed.textContent = answer.status === 409
      ? msg('dialogs.invite.taken', { port })
      : msg('dialogs.invite.notOpened');
  } catch {
    failed.textContent = msg('dialogs.invite.notOpened');
  }
  failed.hidden = false;
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
  const box = copyBox(name, label, url);
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
  box.querySelector('.link-buttons')?.append(share);
  return box;
}

/**
 * Makes a box with a text to copy.
 * @param {string} name
 * @param {string} label
 * @param {string} value
 */
function copyBox(name, label, value) {
  const input = el('input', {
    type: 'text',
    readonly: true,
    id: `link-${name}`,
    value,
    onfocus: () => input.select(),
  });
  const text = el('span', { 'aria-live': 'polite' }, msg('dialogs.invite.copy'));
  const copy = el(
    'button',
    {
      class: 'primary',
      onclick: async () => {
        await copyText(input, value);
        text.textContent = msg('dialogs.invite.copied');
      },
    },
    icon('copy'),
    text,
  );
  return el(
    'div', { class: 'link' }, el('label', { for: `link-${name}` }, label), input,
    el('span', { class: 'link-buttons' }, copy),
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
