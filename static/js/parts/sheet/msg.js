// The messages of this part.

import { part } from '../../msg.js';
import sheet from '../../../messages/en/sheet.json' with { type: 'json' };

export const msg = part(sheet);
