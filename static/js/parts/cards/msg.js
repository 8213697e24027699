// The messages of this part.

import { part } from '../../msg.js';
import cards from '../../../messages/en/cards.json' with { type: 'json' };

export const msg = part(cards);
