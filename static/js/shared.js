// Modules that several parts use and the page itself does not. A part is one file, which imports
// from the page and from no other part (web/bundle.go): so the page has what parts share.

import './bars/buttons.js';
import './input/action.js';
import './input/doubletap.js';
import './wait.js';
