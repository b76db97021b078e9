import { safe } from '@orpc/server';
import { expect, test } from 'vitest';
import { aCoreWithPractice } from './a-core.ts';

/** What is written beside rows, and what of it is refused because nobody would find it again. */
test('fault L6: a name or a comment that nobody can see, or a name with a control character, is refused with what is in it', async () => {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  const { notes, views } = shop.client();
  const view = { kind: 'campaign' as const, filter: '', sort: [], campaignId: null, only: 'all' as const };
  const { touched } = await shop.client().workspace.create({
    workspaceId,
    label: 'Create',
    rows: [{ kind: 'campaign', parent: null, values: { name: 'Spring' } }],
  });
  const [ref] = touched;
  if (ref === undefined) throw new Error('no campaign was made');
  const messagesOf = async (call: Promise<unknown>): Promise<string> => {
    const { error } = await safe(call);
    return JSON.stringify(error !== null && 'data' in error ? error.data : error);
  };
  for (const [name, says] of [
    ['\u200B', 'only characters that cannot be seen ([U+200B])'],
    ['\u2060 \u00AD', 'only characters that cannot be seen'],
    ['a\u0000b', 'an invisible control character at position 2'],
  ] as const) {
    expect(await messagesOf(notes.saveLabel({ workspaceId, name }))).toContain(says);
    expect(await messagesOf(views.save({ workspaceId, name, view }))).toContain(says);
  }
  expect(await messagesOf(notes.comment({ workspaceId, ref, text: '\u200B' }))).toContain('cannot be seen');
  expect([await notes.labels({ workspaceId }), await notes.comments({ workspaceId })]).toEqual([[], []]);
  // What is used as it is meant stays: a picture of three, joined.
  const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}';
  expect(await notes.saveLabel({ workspaceId, name: family })).toMatchObject({ name: family });
});

test('fault L9: a comment on a field that the row does not have is refused by the name of the field', async () => {
  const shop = await aCoreWithPractice();
  const { workspaceId } = shop;
  const { notes, workspace } = shop.client();
  const { touched } = await workspace.create({
    workspaceId,
    label: 'Create',
    rows: [{ kind: 'campaign', parent: null, values: { name: 'Spring' } }],
  });
  const [ref] = touched;
  if (ref === undefined) throw new Error('no campaign was made');
  for (const field of ['bid', 'no such field', 'constructor']) {
    expect((await safe(notes.comment({ workspaceId, ref, field, text: 'Why?' }))).error).toMatchObject({
      code: 'BAD_VALUE',
      data: { kind: 'campaign', field, reason: 'unknown-field' },
    });
  }
  expect(await notes.comments({ workspaceId })).toEqual([]);
  expect(await notes.comment({ workspaceId, ref, field: 'name', text: 'Why?' })).toMatchObject({ field: 'name' });
});
