// The messages of sentences.

import { part } from '../../../msg.js';
import sentences from '../../../../messages/en/sentences.json' with { type: 'json' };

export const msg = part(sentences);
