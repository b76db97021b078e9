import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createFileGrants, shownName } from '../../main/files/media/file-grants.ts';
import { testFolder } from '../folder.ts';
import { done } from '../store/a-workspace.ts';

const folder = testFolder('grants');
const grants = createFileGrants(join(folder, 'spool'));
const aFile = (name: string, text = 'hello'): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

test('a granted file is found again by its handle', async () => {
  const granted = done(await grants.grantPath(aFile('a.txt')));
  expect(granted).toMatchObject({ fileName: 'a.txt', bytes: 5 });
  expect(granted.grant).toMatch(/^[a-f0-9]{32}$/);
  expect(await grants.resolve(granted.grant)).toEqual({ ok: true, value: granted });
});
test('an unknown handle is nothing', () => expect(grants.resolve('0'.repeat(32))).toBeNull());
test('a file that changed after the grant is refused', async () => {
  const path = aFile('b.txt');
  const { grant } = done(await grants.grantPath(path));
  appendFileSync(path, 'more');
  expect(await grants.resolve(grant)).toEqual({
    ok: false,
    error: { code: 'BAD_FILE', data: { fileName: 'b.txt', reason: 'changed', params: {} } },
  });
});
test('a file of the same length that was written anew is refused', async () => {
  const path = aFile('same.txt', 'first');
  const { grant } = done(await grants.grantPath(path));
  writeFileSync(path, 'other');
  utimesSync(path, 1, 1);
  expect(await grants.resolve(grant)).toMatchObject({ error: { data: { reason: 'changed' } } });
});
test('a link put in the place of the file is refused', async () => {
  const path = aFile('c.txt');
  const { grant } = done(await grants.grantPath(path));
  rmSync(path);
  symlinkSync(aFile('other.txt'), path);
  expect(await grants.resolve(grant)).toMatchObject({ error: { data: { reason: 'changed' } } });
});
test('a link is followed once, when it is granted', async () => {
  const target = aFile('target.txt');
  symlinkSync(target, join(folder, 'link.txt'));
  expect(await grants.grantPath(join(folder, 'link.txt'))).toMatchObject({ ok: true, value: { path: target } });
});
test('folders, devices and missing files are refused', async () => {
  mkdirSync(join(folder, 'sub'));
  expect(await grants.grantPath(join(folder, 'sub'))).toMatchObject({ error: { data: { reason: 'not-a-file' } } });
  expect(await grants.grantPath('/dev/null')).toMatchObject({ error: { data: { reason: 'not-a-file' } } });
  expect(await grants.grantPath(join(folder, 'none'))).toMatchObject({
    error: { code: 'BAD_FILE', data: { fileName: 'none', reason: 'cannot-read', params: { code: 'ENOENT' } } },
  });
});
test('bytes without a path are spooled under a name of ours', async () => {
  const spooled = await grants.spool('..\\..\\up.csv', Readable.from([Buffer.from('a,b\n')]), 100);
  expect(spooled).toMatchObject({ ok: true, value: { fileName: 'up.csv', bytes: 4 } });
  const path = spooled.ok ? spooled.value.path : '';
  expect(basename(path)).toMatch(/^[a-f0-9]{32}$/);
  // Whatever a browser hands over is for the user alone, wherever the data folder lies.
  for (const place of [path, dirname(path), join(folder, 'spool')]) expect(statSync(place).mode & 0o077, place).toBe(0);
});
test('bytes of a secret are in no file, and are wiped when they are forgotten', async () => {
  const held = done(await grants.hold('token.txt', Readable.from([Buffer.from('a-token')])));
  expect(held).toMatchObject({ path: '', held: Buffer.from('a-token') });
  grants.forget(held.grant);
  expect(held.held).toEqual(Buffer.alloc('a-token'.length));
  expect(grants.resolve(held.grant)).toBeNull();
});
test('a secret that is too long, or whose sender is gone, is refused', async () => {
  const cutOff = new Readable({ read: () => undefined });
  cutOff.push('half a tok');
  const gone = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  setImmediate(() => cutOff.destroy(gone));
  for (const bytes of [cutOff, Readable.from([Buffer.alloc(65_000), Buffer.alloc(1000)])])
    expect(await grants.hold('token.txt', bytes)).toMatchObject({ ok: false, error: { code: 'BAD_FILE' } });
});
test('a spooled file over its limit leaves nothing behind', async () => {
  const before = readdirSync(join(folder, 'spool'), { recursive: true }).length;
  const spooled = await grants.spool('big.bin', Readable.from([Buffer.alloc(60), Buffer.alloc(60)]), 100);
  expect(spooled).toMatchObject({
    ok: false,
    error: { data: { fileName: 'big.bin', reason: 'above-limit', params: { limit: 100 } } },
  });
  expect(readdirSync(join(folder, 'spool'), { recursive: true }).length).toBe(before);
});
test('bytes that find no room for the spool are refused, and taken in once there is', async () => {
  const parent = aFile('in-the-way', 'a file where the spool should be');
  const crowded = createFileGrants(parent);
  const put = () => crowded.spool('up.csv', Readable.from([Buffer.from('a,b\n')]), 100);
  expect(await put()).toMatchObject({
    ok: false,
    error: { data: { reason: 'cannot-read', params: { code: 'EEXIST' } } },
  });
  rmSync(parent);
  expect(await put()).toMatchObject({ ok: true, value: { bytes: 4 } });
  await crowded.close();
});
test('names are shown without folders, controls and direction marks', () => {
  expect(shownName('/a/b/../clip\u202Egpj.mp4')).toBe('clip\uFFFDgpj.mp4');
  expect(shownName('x\r\ny.png')).toBe('x\uFFFD\uFFFDy.png');
  expect(shownName('')).toBe('file');
});
test('a spool that is full lets go of what has been there longest, and keeps a file that fills it alone', async () => {
  const parent = join(folder, 'small-spool');
  const small = createFileGrants(parent, 100);
  const put = async (bytes: number): Promise<string> => {
    const spooled = await small.spool('a.bin', Readable.from([Buffer.alloc(bytes)]), 1000);
    return spooled.ok ? spooled.value.grant : '';
  };
  const kept = async (handles: readonly string[]): Promise<readonly boolean[]> =>
    Promise.all(handles.map(async (handle) => (await small.resolve(handle))?.ok === true));
  const first = [await put(40), await put(40), await put(40)];
  expect(await kept(first)).toEqual([false, true, true]);
  const large = await put(150);
  expect(await kept([...first, large])).toEqual([false, false, false, true]);
  expect(readdirSync(parent, { recursive: true })).toHaveLength(2);
  await small.close();
});

test('closing removes the spool', async () => {
  await grants.close();
  expect(readdirSync(join(folder, 'spool'))).toEqual([]);
});
