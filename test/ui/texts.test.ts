import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import { classifyReadFailure } from '../../main/api/classify-response.ts';
import { toCliError } from '../../main/hosts/cli/cli-error.ts';
import { readFailed } from '../../main/service/failures.ts';
import { COMMANDS } from '../../renderer/app/commands.ts';
import { errorText } from '../../renderer/app/error-text.ts';
import { choiceName, fieldName } from '../../renderer/app/field-names.ts';
import { commandFor } from '../../renderer/app/shortcuts.ts';
import { rank } from '../../renderer/features/palette/Palette.tsx';
import { errors } from '../../shared/api/errors.ts';
import { StepLabel, seenName } from '../../shared/api/scalars.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import { FIELDS } from '../../shared/model/fields.ts';

test('every error of the contract has a sentence', () => {
  for (const code of Object.keys(errors)) {
    const text = errorText(new ORPCError(code, { data: {} }));
    expect(text, code).toMatch(/^[A-Z].+\.|^ .+|^The filter/);
    expect(text, code).not.toContain('undefined');
    expect(text, code).not.toContain('inside Adslate');
  }
});

test('a connection that failed shows the call, its response and the cause, or the detail of the file', () => {
  const shown = (data: object): string => errorText(new ORPCError('BAD_CREDENTIALS', { data }));
  const call = 'GET https://api.example.com/api/v1/media';
  const refused = { step: 'access', call, status: 403, words: 'User not Authenticated', tried: 20, skewSeconds: 0 };
  const text = shown({ step: 'access', detail: refused.words, refused });
  expect(text).toContain(`${call} returned 403 "User not Authenticated".`);
  expect(text).toContain('header prefix is correct');
  expect(shown({ step: 'access', detail: 'User not Authenticated' })).toBe(
    'The service did not accept the credentials of this account: "User not Authenticated". Check in the account settings that the token has not expired, and that the clock of this computer is right.',
  );
  expect(shown({ step: 'key', detail: 'The file contains a public key.' })).toBe('The file contains a public key.');
});

test('refused credentials and missing ones are told apart, however the service ends its message', () => {
  const read = (seen: Parameters<typeof classifyReadFailure>[0]) => {
    const failure = classifyReadFailure(seen, 0);
    if (failure === null) throw new Error('nothing failed');
    const { code, data } = readFailed(failure).error;
    const error = new ORPCError(code, { data });
    return [errorText(error), toCliError(error, '')?.message];
  };
  const answer = { kind: 'answer' as const, status: 401, body: '{"error":"Token expired."}', retryAfter: null };
  for (const text of read({ ...answer, skewMs: null }))
    expect(text).toMatch(/^The service did not accept the credentials of this account.*Token expired\..*\. Check /);
  for (const text of read({ kind: 'no-secrets' }))
    expect(text).toMatch(
      /^The access token and the private key of this account are not available\. (Unlock|Add) .+\.$/,
    );
  const id = new ORPCError('BAD_CREDENTIALS', { data: { step: 'advertiser-id', detail: 'It must be a number.' } });
  expect(toCliError(id, '')?.message).toBe("The advertiser ID can't be used. It must be a number.");
});

test.each([
  [fileRefusal('cannot-read', { code: 'EACCES' }), /^plan\.csv can't be read \(EACCES\)\. Check .+permission/],
  [fileRefusal('check-timed-out', { seconds: 15 }), /^plan\.csv was not read within 15 seconds\. .+ then add it again/],
  [fileRefusal('check-failed', { what: 'x' }), /^Adslate could not check plan\.csv \(x\)\. Add it again\./],
  [fileRefusal('above-limit', { limit: 65_536 }), /^plan\.csv is larger than 65,536 bytes.+ Choose a smaller file\.$/],
  [fileRefusal('no-path'), /^plan\.csv is not in a folder of this computer\. Save it/],
  [
    fileRefusal('not-allowed'),
    /the folder of plan\.csv.+ Wait a minute, choose the file again, then allow the folder\.$/,
  ],
  [fileRefusal('not-received', { what: 'status 403' }), /^Adslate did not receive plan\.csv \(status 403\)\. Check/],
])('a file that a page can not hand over has a sentence with its name and the next step: %j', (refusal, sentence) => {
  expect(errorText(fileError('plan.csv', refusal).error)).toMatch(sentence);
});

test('a failure that is no answer of main says that edits are safe', () => {
  expect(errorText(new Error('socket'))).toContain('Your edits are saved');
});

test('what was typed and does not fit is told in the words of the contract, and by nothing that zod says', () => {
  const refused = (message: string): string =>
    errorText(new ORPCError('BAD_REQUEST', { data: { issues: [{ message, path: ['name'] }] } }));
  const long = seenName(60).safeParse('x'.repeat(61)).error?.issues[0]?.message ?? '';
  expect(refused(long)).toBe('This text has 61 characters. The maximum is 60. Enter a shorter text.');
  expect(refused('Invalid input: expected string')).toMatch(/^Internal error/);
  expect(errorText(new ORPCError('BAD_REQUEST'))).toMatch(/^Internal error/);
});

test('a step with a long name in it is cut, and no character in half', () => {
  const label = StepLabel.parse(`New campaign ${'🧴'.repeat(250)}`);
  expect(label).toMatch(/^New campaign 🧴+…$/u);
  expect([...label]).toHaveLength(200);
});

test('every field and every choice has a name of its own', () => {
  for (const specs of Object.values(FIELDS)) {
    for (const [field, spec] of Object.entries(specs)) {
      expect(fieldName(field), field).not.toBe(field);
      if (spec.type.is !== 'choice') continue;
      for (const choice of spec.type.choices) expect(choiceName(choice), choice).toMatch(/^[A-Z]/);
    }
  }
});

test('no two commands share a shortcut', () => {
  const shortcuts = COMMANDS.flatMap(({ shortcut }) => shortcut ?? []);
  expect(new Set(shortcuts).size).toBe(shortcuts.length);
});

test('shortcuts are told by the key, also with Command on a Mac and in text fields', () => {
  const key = { key: 'k', code: 'KeyK', ctrlKey: false, metaKey: true, shiftKey: false, altKey: false };
  expect(commandFor(key, true, {})?.id).toBe('app.palette');
  const undo = { ...key, key: 'z', code: 'KeyZ', metaKey: false, ctrlKey: true };
  expect(commandFor(undo, false, {})?.id).toBe('edit.undo');
  expect(commandFor(undo, true, {}), 'text fields undo their own typing').toBeUndefined();
});

test('the palette puts names that start with the text first', () => {
  const names = ['Show only changed rows', 'Changes', 'All changes'];
  expect(rank(names, 'chan', (name) => name)).toEqual(['Changes', 'Show only changed rows', 'All changes']);
  const alike = ['Submit for review again', 'Submit for review'];
  expect(rank(alike, 'submit for review', (name) => name)).toEqual(alike.toReversed());
  expect(rank(names, 'rows only', (name) => name)).toEqual(['Show only changed rows']);
  const also = (name: string): string => (name === 'Changes' ? 'all edits' : '');
  expect(
    rank(names, 'all', (name) => name, also),
    'other words of an entry come last',
  ).toEqual(['All changes', 'Changes']);
  expect(rank(names, 'changes edits', (name) => name, also)).toEqual(['Changes']);
});
