// Runs before the first paint, so that the page never flashes in the wrong colours.
import { applySettings } from './lib/settings';

applySettings();
