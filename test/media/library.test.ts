import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPreviews } from '../../main/files/media/file-grants.ts';
import { createMediaLibrary } from '../../main/files/media/library.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';

const folder = testFolder('library');
const library = createMediaLibrary(join(folder, 'media'));

test('a file is kept under the hash of its bytes, once', async () => {
  writeFileSync(join(folder, 'a'), 'hello');
  writeFileSync(join(folder, 'b'), 'hello');
  const first = await library.keep(join(folder, 'a'));
  const second = await library.keep(join(folder, 'b'));
  expect(first).toMatchObject({
    ok: true,
    value: { sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', bytes: 5 },
  });
  expect(second).toEqual(first);
  expect(readdirSync(join(folder, 'media'))).toHaveLength(1);
});
test('the original may go: the copy stays', async () => {
  writeFileSync(join(folder, 'c'), 'stays');
  const { path } = done(await library.keep(join(folder, 'c')));
  rmSync(join(folder, 'c'));
  expect(readFileSync(path, 'utf8')).toBe('stays');
});
test.each(['whole', 'whole wordz'])('a damaged copy, "%s", is replaced by the good bytes', async (damaged) => {
  writeFileSync(join(folder, 'd'), 'whole words');
  const { path } = done(await library.keep(join(folder, 'd')));
  writeFileSync(path, damaged);
  await library.keep(join(folder, 'd'));
  expect(readFileSync(path, 'utf8')).toBe('whole words');
});
test('a file that cannot be read is refused and leaves nothing behind', async () => {
  const before = readdirSync(join(folder, 'media')).length;
  expect(await library.keep(join(folder, 'none'))).toMatchObject({ error: { reason: 'cannot-read' } });
  expect(readdirSync(join(folder, 'media'))).toHaveLength(before);
});
test('a file that finds no room for the library is refused, and kept once there is', async () => {
  const place = join(folder, 'in-the-way');
  writeFileSync(place, 'a file where the library should be');
  writeFileSync(join(folder, 'e'), 'kept');
  const crowded = createMediaLibrary(place);
  expect(await crowded.keep(join(folder, 'e'))).toMatchObject({ error: { reason: 'cannot-read' } });
  rmSync(place);
  expect(await crowded.keep(join(folder, 'e'))).toMatchObject({ ok: true, value: { bytes: 4 } });
});
test('only hashes are places in the library', () => expect(() => library.pathOf('../x')).toThrow());
test('a preview handle serves a range of the bytes and no unknown handle does', async () => {
  writeFileSync(join(folder, 'p'), '0123456789');
  const previews = createPreviews();
  const offered = { path: join(folder, 'p'), contentType: 'video/mp4', fileName: 'spot.mp4', workspaceId: 'acme' };
  const handle = previews.offer(offered);
  expect(previews.offer({ ...offered, fileName: 'renamed.mp4' })).toBe(handle);
  expect(previews.find(handle)?.fileName).toBe('renamed.mp4');
  expect(previews.find('f'.repeat(32))).toBeNull();
  const file = await previews.open(handle);
  expect(file).toMatchObject({ contentType: 'video/mp4', bytes: 10 });
  const part = await file?.open(2, 4).toArray();
  expect(Buffer.concat(part ?? []).toString()).toBe('234');
  expect(await previews.open('f'.repeat(32))).toBeNull();
});
test('the newest two thousand handles hold; a file whose own is over gets another', () => {
  const previews = createPreviews();
  const offer = (name: string): string =>
    previews.offer({ path: join(folder, name), contentType: 'video/mp4', fileName: name, workspaceId: 'acme' });
  const first = offer('0');
  for (let at = 1; at < 2000; at++) offer(String(at));
  expect(previews.find(first)?.fileName).toBe('0');
  offer('2000');
  expect(previews.find(first)).toBeNull();
  expect(offer('0')).not.toBe(first);
});
