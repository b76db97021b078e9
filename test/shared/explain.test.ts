import { expect, test } from 'vitest';
import { EXPLANATIONS, findErrorHelp } from '../../shared/error-help/find-error-help.ts';
import { FIELDS } from '../../shared/model/fields.ts';
import { listDocumentErrors } from '../conformance/document-errors.ts';

/** The table "Per-element failures" of the document, with values as the service fills them in. */
const PER_ELEMENT = [
  'Item Id not found.',
  'ITEMID_NOT_FOUND, Input id: prod123',
  'Item not found, Input id: 0012345678',
  'Cannot upload unpublished item, Input id: 0012345678',
  'Cannot upload item. item or base item not owned by you, Input id: 0012345678',
  'Item is missing bid value, Input id: 0012345678',
  'Bid should be higher than : 1.50',
];
const MESSAGES = [...new Set([...PER_ELEMENT, ...listDocumentErrors().map(({ text }) => text)])];

test('every message of the document has exactly one explanation, with cause, next step and a place to take it', () => {
  expect(MESSAGES.length).toBeGreaterThan(55);
  for (const message of MESSAGES) {
    const explained = findErrorHelp(message);
    expect(explained, message).not.toBeNull();
    expect(explained?.cause, message).toMatch(/^[A-Z].*[^{}]\.$/);
    expect(explained?.next, message).toMatch(/^[A-Z].*\.$/);
    expect(`${explained?.cause}${explained?.next}`, message).not.toMatch(/[{}]/);
  }
});

test('no explanation is there for a message the document does not have', () => {
  const used = new Set(MESSAGES.map((message) => findErrorHelp(message)?.id));
  expect(EXPLANATIONS.filter(({ id }) => !used.has(id))).toEqual([]);
  expect(new Set(EXPLANATIONS.map(({ id }) => id)).size).toBe(EXPLANATIONS.length);
});

test('the field of an explanation is a field of the model', () => {
  const fields = new Set(Object.values(FIELDS).flatMap((specs) => Object.keys(specs)));
  for (const { id, field } of EXPLANATIONS) expect(field === undefined || fields.has(field), id).toBe(true);
});

test('values of a message stand in its explanation', () => {
  expect(findErrorHelp('Bid should be higher than : 1.50')?.next).toBe('Raise the bid above 1.50.');
  expect(findErrorHelp('WSResponse is not 200 or 409, it was: 503')?.cause).toContain('503');
});

test('case, blanks, a final stop and a heading before the message do not count', () => {
  expect(findErrorHelp('  adgroup NOT  found ')?.id).toBe('ad-group-gone');
  expect(findErrorHelp('Empty Input')?.id).toBe('empty-input');
  expect(findErrorHelp('Unprocessable: Campaign is Under review, adding is not allowed.')?.id).toBe('review-adding');
});

test('a message that is not known has no explanation, also when a known one is a part of it', () => {
  expect(findErrorHelp('Please call support')).toBeNull();
  expect(findErrorHelp('Campaign not found in the archive of 2019')).toBeNull();
});
