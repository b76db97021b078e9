import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowId } from '../../shared/model/scalars.ts';
import { done } from '../store/a-workspace.ts';
import { aSharedSample, rowsOf } from './a-core.ts';

const { folder, core, client, workspaceId } = await aSharedSample('storyboard');
const HOSTILE = `<img src=x onerror=alert(1)>"'</script><script>alert(2)</script>`;
const campaignIds = (await rowsOf(client, workspaceId, { kind: 'campaign' })).map(({ id }) => id);
const profiles = await rowsOf(client, workspaceId, { kind: 'sbaProfile', only: 'changed' });
const banner = profiles[0]?.id ?? (0 as RowId);
await client.workspace.edit({
  workspaceId,
  label: 'Edit',
  changes: [{ kind: 'sbaProfile', id: banner, field: 'headline', value: HOSTILE }],
});
const file = await client.storyboard.export({ workspaceId, campaignIds: [...campaignIds], money: true });
const page = readFileSync(core.offered(file.url.slice('/preview/'.length))?.path ?? '', 'utf8');
const storyboard = /data-storyboard="([^"]+)"/.exec(page)?.[1] ?? '';

const send = async (content: string) => {
  const path = join(folder, 'comments.adslate-comments');
  writeFileSync(path, content);
  const { grant } = done(await core.grants.grantPath(path));
  return client.storyboard.import({ workspaceId, grant });
};
const entry = (more: object = {}) => ({
  ref: { kind: 'sbaProfile', id: banner },
  field: 'headline',
  text: 'Shorter, please',
  verdict: 'rejected',
  at: Date.now(),
  ...more,
});
const returned = (more: object = {}) => ({
  format: 'adslate-comments',
  version: 1,
  storyboard,
  name: 'Jo Client',
  entries: [entry()],
  ...more,
});
/** Everything of the account but its comments. */
const contents = async () => {
  const { revision: _, ...summary } = await client.workspace.summary({ workspaceId });
  const { steps } = await client.workspace.history({ workspaceId, from: 0, count: 50 });
  const { changes } = await client.workspace.changes({ workspaceId, from: 0, count: 100 });
  return { summary, steps, changes };
};

test('the page has one script of ours, loads nothing, and shows what was typed as text', () => {
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain('<img src=x');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(page.match(/(src|href)="(?!data:image\/|data:video\/)/g)).toBeNull();
  expect(page).toContain('Daily budget $');
});

test('captions are the spoken lines alone, also if they are numbers, in the order of the file', async () => {
  const captions = join(folder, 'kitchen-roll-spot.vtt');
  const cue = (name: string, at: number, text: string) => `${name}\n00:0${at}.000 --> 00:0${at + 1}.000\n${text}\n`;
  const style = 'STYLE\n::cue { color: red }\n';
  const text = ['WEBVTT\n', style, cue('intro', 1, 'Pots &amp; <i>pans</i>'), cue('2', 3, '2030')].join('\n');
  // As some editors save it.
  writeFileSync(captions, `\uFEFF${text}`, 'utf16le');
  const spot = new URL('../../examples/media/kitchen-roll-spot.mp4', import.meta.url).pathname;
  const grants = await Promise.all([spot, captions].map((path) => core.grants.grantPath(path)));
  const added = await client.media.add({ workspaceId, grants: grants.map((one) => (one.ok ? one.value.grant : '')) });
  const value = added.files[0]?.outcome === 'added' ? added.files[0].mediaId : null;
  const [profile] = await rowsOf(client, workspaceId, { kind: 'videoProfile' });
  const changes = [{ kind: 'videoProfile' as const, id: profile?.id ?? (0 as RowId), field: 'video', value }];
  await client.workspace.edit({ workspaceId, label: 'Edit', changes });
  const { url } = await client.storyboard.export({ workspaceId, campaignIds: [...campaignIds], money: false });
  const shown = readFileSync(core.offered(url.slice('/preview/'.length))?.path ?? '', 'utf8');
  expect(/<h3>Captions<\/h3><p>(.*?)<\/p>/.exec(shown)?.[1]).toBe('Pots &amp; pans<br>2030');
});

test('comments of a client land on their fields with name and time, once', async () => {
  const before = await contents();
  const at = Date.now();
  const file = JSON.stringify(
    returned({ entries: [entry({ at }), entry({ field: null, text: '', verdict: 'approved', at })] }),
  );
  expect(await send(file)).toMatchObject({ comments: 2, approved: 1, rejected: 1, skipped: 0 });
  const comments = await client.notes.comments({ workspaceId, ref: { kind: 'sbaProfile', id: banner } });
  expect(comments).toMatchObject([
    { field: 'headline', author: 'Jo Client', text: 'Rejected: Shorter, please' },
    { field: null, text: 'Approved' },
  ]);
  expect(await send(file)).toMatchObject({ comments: 0 });
  expect(await contents()).toEqual(before);
});

test('the comments on storyboards that were exported at the same moment are all taken', async () => {
  const exported = await Promise.all(
    [true, false].map((money) => client.storyboard.export({ workspaceId, campaignIds: [...campaignIds], money })),
  );
  for (const { url } of exported) {
    const text = readFileSync(core.offered(url.slice('/preview/'.length))?.path ?? '', 'utf8');
    const id = /data-storyboard="([^"]+)"/.exec(text)?.[1];
    expect(await send(JSON.stringify(returned({ storyboard: id, entries: [] })))).toMatchObject({ comments: 0 });
  }
});

test('200 hostile files change nothing but comments, and most are refused with a reason', async () => {
  const before = await contents();
  const outcomes = { refused: 0, taken: 0 };
  const junk = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.json(),
    fc.constant('[['.repeat(10_000)),
    fc.constant('x'.repeat(2_100_000)),
  );
  const bent = fc
    .record(
      {
        format: fc.constantFrom('adslate-comments', 'adslate-archive'),
        version: fc.constantFrom(1, 2, '1'),
        storyboard: fc.constantFrom(storyboard, '00000000-0000-4000-8000-000000000000', '../../x'),
        name: fc.constantFrom('Jo', HOSTILE, '', 'a\u0000b', 'x'.repeat(500)),
        entries: fc.array(
          fc.record({
            ref: fc.record({
              kind: fc.constantFrom('sbaProfile', 'keyword', 'media', '__proto__'),
              id: fc.constantFrom(banner, 1, 2 ** 31, -1),
            }),
            field: fc.constantFrom('headline', null, 'bid', '__proto__', 'status; DROP TABLE campaign'),
            text: fc.constantFrom('', 'Fine', HOSTILE, '=cmd|calc', 'x'.repeat(5000)),
            verdict: fc.constantFrom('approved', null, 'executed'),
            at: fc.constantFrom(0, 8_640_000_000_000, Number.MAX_SAFE_INTEGER),
          }),
          { maxLength: 3 },
        ),
        status: fc.constant('enabled'),
      },
      { requiredKeys: ['format', 'version', 'storyboard', 'name', 'entries'] },
    )
    .map((file) => JSON.stringify(file));
  for (const content of fc.sample(fc.oneof(junk, bent, bent), { numRuns: 200, seed: 7 })) {
    try {
      await send(content);
      outcomes.taken++;
    } catch (error) {
      expect(error).toMatchObject({ code: 'BAD_FILE' });
      outcomes.refused++;
    }
  }
  expect(outcomes.refused + outcomes.taken).toBe(200);
  expect(outcomes.refused).toBeGreaterThan(100);
  expect(await contents()).toEqual(before);
});
