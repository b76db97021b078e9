import { foldMessage } from './error-text.ts';

/**
 * Messages that arrive with status 200 in place of results and say for certain that nothing was written
 * (document, "SBA logo upload" and "Multipliers: create and update"). Anything else with status 200 and no
 * results proves nothing: `Exception in creating SBA Profile` may come after the write.
 */
const EXACT: ReadonlySet<string> = new Set(
  [
    'Invalid Upload Request',
    'Missing FILE',
    'Unable to upload the image',
    'You cannot define bid multipliers for this campaign',
    'Invalid Placement Type found',
    'Invalid Platform Type found',
  ].map(foldMessage),
);

const BEGINNINGS = [
  'Missing form param',
  'The placement bid% cannot be less than 0 for',
  'The placement bid% out of range for',
  'The platform bid% cannot be less than 0 for',
  'The platform bid% out of range for',
].map(foldMessage);

export function isKnownRefusal(message: string): boolean {
  const folded = foldMessage(message);
  return EXACT.has(folded) || BEGINNINGS.some((beginning) => folded.startsWith(beginning));
}

/** The answer that asks for the other spelling of the logo's form field. */
export const isMissingFormParam = (message: string): boolean => foldMessage(message).startsWith('missing form param');

/** The document answers 403 with this text when the caller is not known (document, "Authentication"). */
export const isNotAuthenticated = (message: string): boolean =>
  foldMessage(message).includes(foldMessage('User not Authenticated'));
