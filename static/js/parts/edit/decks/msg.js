// The messages of the tab for decks.

import { part } from '../../../msg.js';
import decks from '../../../../messages/en/decks.json' with { type: 'json' };

export const msg = part(decks);
