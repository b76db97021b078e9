import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createRouterClient } from '@orpc/server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { createCredentialStore } from '../../main/accounts/credential-store.ts';
import { systemClock } from '../../main/app/clock.ts';
import { NO_OBSERVER } from '../../main/app/long-task.ts';
import { openArchive } from '../../main/files/archive/open-archive.ts';
import { checkSignature, createKnownSigners, readSigningKey, signArchive } from '../../main/files/archive/signature.ts';
import { startCore } from '../core/a-core.ts';
import { testFolder } from '../folder.ts';
import { type Canary, found, wholeFolder } from '../hosts/canaries.ts';
import { runs, SEED, share } from '../share.ts';
import { aFolder, done } from '../store/a-workspace.ts';
import { anExchange, type TestExchange } from './an-exchange.ts';

describe('signature', () => {
  /** Who wrote a file of changes can be proved, and whatever was altered since is noticed. */
  const folder = testFolder('signed');
  let sender: TestExchange;
  let receiver: TestExchange;
  let file: string;

  beforeAll(async () => {
    sender = await anExchange(join(folder, 'sender'));
    receiver = await anExchange(join(folder, 'receiver'));
    const sheet = join(folder, 'sheet.csv');
    const lines = [
      'Type,Campaign,Campaign type,Targeting,Daily budget',
      'campaign,Spring,sponsoredProducts,auto,50.00',
    ];
    writeFileSync(sheet, lines.join('\n'));
    await sender.apply((await sender.preview(await sender.grant(sheet))).previewId);
    file = join(folder, 'mine.adslate-changes');
    await sender.archive('changes', file);
    return () => Promise.all([sender.close(), receiver.close()]);
  });

  const signatureIn = async (of: TestExchange, path: string) => {
    const preview = await of.preview(await of.grant(path));
    await of.dismiss(preview.previewId);
    return preview.signature;
  };
  const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

  async function partsOf(path: string): Promise<ReadonlyMap<string, Buffer>> {
    const archive = await openPromise(path, { lazyEntries: true });
    const parts = new Map<string, Buffer>();
    for await (const entry of archive.eachEntry()) {
      const bytes: Buffer[] = [];
      for await (const some of await archive.openReadStreamPromise(entry)) bytes.push(some as Buffer);
      parts.set(entry.fileName, Buffer.concat(bytes));
    }
    archive.close();
    return parts;
  }

  /** What somebody would do who alters a part and knows how archives are made: the checksums are right again. */
  async function rebuilt(parts: ReadonlyMap<string, Buffer>, name: string): Promise<string> {
    const path = join(folder, name);
    const zip = new ZipFile();
    const content = [...parts].filter(([part]) => part !== 'checksums.json');
    for (const [part, bytes] of content) zip.addBuffer(bytes, part);
    zip.addBuffer(
      Buffer.from(JSON.stringify(Object.fromEntries(content.map(([part, b]) => [part, sha256(b)])))),
      'checksums.json',
    );
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path));
    return path;
  }

  test('a file says who signed it and when; its signer is new until something of his was taken over', async () => {
    const seen = await signatureIn(receiver, file);
    expect(seen).toMatchObject({ is: 'signed', at: 0, signer: 'new', knownAs: null });
    if (seen?.is !== 'signed') throw new Error('not signed');
    expect(seen.fingerprint).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
    expect(await signatureIn(sender, file)).toMatchObject({ signer: 'own', fingerprint: seen.fingerprint });
    const preview = await receiver.preview(await receiver.grant(file));
    await receiver.apply(preview.previewId);
    expect(await signatureIn(receiver, file)).toMatchObject({ signer: 'known', knownAs: seen.name });
  });

  test('a file without a signature, as earlier versions wrote it, opens and says so', async () => {
    const parts = new Map(await partsOf(file));
    const { signature: _, ...description } = JSON.parse(String(parts.get('adslate.json')));
    parts.set('adslate.json', Buffer.from(JSON.stringify(description)));
    expect(await signatureIn(receiver, await rebuilt(parts, 'unsigned.adslate-changes'))).toEqual({ is: 'unsigned' });
  });

  test('a file that was altered since it was signed is refused, and opens only for somebody who insists', async () => {
    const parts = new Map(await partsOf(file));
    parts.set('rows.jsonl', Buffer.from(String(parts.get('rows.jsonl')).replace('5000', '9000')));
    const altered = await receiver.grant(await rebuilt(parts, 'altered.adslate-changes'));
    expect(await receiver.tryPreview(altered)).toEqual({ ok: false, error: { reason: 'altered', params: {} } });
    const insisted = await receiver.tryPreview(altered, { evenAltered: true });
    expect(insisted).toMatchObject({ ok: true, value: { signature: { is: 'altered' }, changed: 1 } });
    if (insisted.ok) await receiver.dismiss(insisted.value.previewId);
  });

  test('no bit of what was signed can be turned without notice', async () => {
    const parts = await partsOf(file);
    const manifest = parts.get('adslate.json') ?? Buffer.alloc(0);
    const hashes = new Map([...parts].map(([name, bytes]) => [name, sha256(bytes)]));
    expect(checkSignature(String(manifest), hashes).is).toBe('signed');
    const content = (text: string): string => JSON.stringify({ ...JSON.parse(text), signature: null });
    const bits = share('bits of each signed byte', [0, 1, 2, 3, 4, 5, 6, 7]);
    for (let at = 0; at < manifest.length; at++) {
      for (const bit of bits) {
        const turned = Buffer.from(manifest);
        turned[at] = (turned[at] ?? 0) ^ (1 << bit);
        const check = checkSignature(turned.toString('latin1'), hashes);
        // A blank between two words of JSON may become another one: then it still says what was signed.
        if (check.is === 'signed') expect(content(String(turned)), `byte ${at}`).toBe(content(String(manifest)));
      }
    }
    for (const [name, bytes] of parts) {
      if (name === 'adslate.json' || name === 'checksums.json') continue;
      for (let at = 0; at < bytes.length; at++) {
        const turned = Buffer.from(bytes);
        turned[at] = (turned[at] ?? 0) ^ (1 << (at % 8));
        expect(checkSignature(String(manifest), new Map([...hashes, [name, sha256(turned)]])).is).toBe('altered');
      }
      const without = new Map([...hashes].filter(([part]) => part !== name));
      expect(checkSignature(String(manifest), without).is).toBe('altered');
    }
    const withMore = new Map([...hashes, [`media/${'a'.repeat(64)}`, 'a'.repeat(64)]]);
    expect(checkSignature(String(manifest), withMore).is).toBe('altered');
  });

  test('a file of which any byte was turned opens as it was signed, or not at all', async () => {
    const bytes = readFileSync(file);
    const sound = String((await partsOf(file)).get('rows.jsonl'));
    const path = join(folder, 'turned.adslate-changes');
    const tries = runs(300);
    let refused = 0;
    for (let nth = 0; nth < tries; nth++) {
      const at = (SEED + nth * 7919) % bytes.length;
      const turned = Buffer.from(bytes);
      turned[at] = (turned[at] ?? 0) ^ (1 << (nth % 8));
      writeFileSync(path, turned);
      const apart = join(folder, `turned-${nth}`);
      const opened = await openArchive(path, apart);
      if (!opened.ok) refused += 1;
      else {
        expect(opened.value.signature.is, `byte ${at}`).toBe('signed');
        expect(readFileSync(opened.value.rowsFile, 'utf8')).toBe(sound);
      }
    }
    expect(refused).toBeGreaterThan(tries / 2);
  });

  test('a statement signed by one key does not pass under another', () => {
    const [ours, theirs] = [generateKeyPairSync('ed25519').privateKey, generateKeyPairSync('ed25519').privateKey];
    const what = {
      name: 'Ada',
      at: '2030-01-01T00:00:00.000Z',
      description: { rows: 1 },
      parts: new Map([['rows.jsonl', 'a']]),
    };
    const mine = signArchive(ours, what);
    const other = signArchive(theirs, what);
    const manifest = (signature: object): string => JSON.stringify({ ...what.description, signature });
    expect(checkSignature(manifest(mine), what.parts)).toMatchObject({ is: 'signed', name: 'Ada' });
    expect(checkSignature(manifest({ ...mine, publicKey: other.publicKey }), what.parts)).toEqual({ is: 'altered' });
  });
});

describe('signing key', () => {
  /** The key that signs files for others: made once, sealed like the keys of accounts, and nowhere in clear. */
  let folder: string;
  beforeEach(() => {
    folder = aFolder();
  });

  const aBox = () => createCredentialStore({ dataDir: folder, clock: systemClock, keychain: async () => null });
  const PASSPHRASE = 'a passphrase of some length';

  test('behind a passphrase the key is the same at every start, and there is none while it is locked', async () => {
    const box = aBox();
    await box.choose('passphrase', PASSPHRASE);
    const first = await readSigningKey(box);
    const later = aBox();
    expect(await readSigningKey(later)).toBeNull();
    await later.unlock(PASSPHRASE);
    const again = await readSigningKey(later);
    if (first === null || again === null) throw new Error('no key');
    expect(createPublicKey(again).equals(createPublicKey(first))).toBe(true);
  });

  test('signers of two files that are imported at once are both remembered', async () => {
    const signers = createKnownSigners(join(folder, 'both.json'));
    await Promise.all(['Ana', 'Ben'].map((name, at) => signers.remember(`key ${name}`, name, at)));
    expect(await Promise.all([signers.nameOf('key Ana'), signers.nameOf('key Ben')])).toEqual(['Ana', 'Ben']);
  });

  test('two who ask at once get one key', async () => {
    const box = aBox();
    const [one, other] = await Promise.all([readSigningKey(box), readSigningKey(box)]);
    expect(one !== null && other !== null && one.equals(other)).toBe(true);
  });

  test('a signed file of changes tells no part of the private key, and neither does the data folder', async () => {
    const secrets = aBox();
    await secrets.choose('passphrase', PASSPHRASE);
    const core = await startCore(folder, { secrets });
    const client = createRouterClient(core.router);
    const { workspaceId } = await client.accounts.addPractice({ name: 'Shop' });
    const rows = [{ kind: 'campaign' as const, parent: null, values: { name: 'Autumn' } }];
    await client.workspace.create({ workspaceId, label: 'New', rows });
    const answer = await client.exchange.export({ workspaceId, format: 'changes' });
    expect(answer.isUnsigned).toBeUndefined();
    const account = done(await core.open.get(workspaceId));
    const file = join(folder, 'mine.adslate-changes');
    const order = { source: 'changes', target: file, account: { name: 'Shop', advertiserId: '1' }, nowMs: 0 } as const;
    expect(await core.exchange.archive(account, order)).toMatchObject({ ok: true, value: { isSigned: true } });

    const key = await readSigningKey(secrets);
    if (key === null) throw new Error('no key');
    const secret = String(key.export({ format: 'jwk' }).d);
    const canaries: readonly Canary[] = [
      {
        name: 'the private key as text',
        text: key.export({ type: 'pkcs8', format: 'pem' }).toString().split('\n')[1] ?? '',
      },
      { name: 'its 32 bytes in Base64', text: secret },
      { name: 'its 32 bytes', text: Buffer.from(secret, 'base64url').toString('latin1') },
    ];
    expect(found(canaries, wholeFolder(folder) + JSON.stringify(answer))).toEqual([]);
    writeFileSync(join(folder, 'seen.txt'), canaries.map(({ text }) => text).join('\n'), 'latin1');
    expect(found(canaries, wholeFolder(folder)), 'the search itself finds').toHaveLength(3);

    await client.credentials.lock();
    const locked = await client.exchange.export({ workspaceId, format: 'changes' });
    expect(locked.isUnsigned).toBe(true);
    await core.close();
  });
});

describe('export share', () => {
  const folder = testFolder('share');

  const KEYWORDS = 12_000;
  const SHEET = [
    'Type,Campaign,Ad group,Campaign type,Targeting,Daily budget,Keyword,Match type,Bid',
    'campaign,Spring,,sponsoredProducts,manual,50.00,,,',
    'ad group,Spring,Main,,,,,,',
    ...Array.from({ length: KEYWORDS }, (_, at) => `keyword,Spring,Main,,,,pot ${at},exact,1.00`),
  ].join('\n');

  test('an export tells how much of it is written, whether of the account or of what is filtered', async () => {
    const desk = await anExchange(join(folder, 'data'));
    try {
      const path = join(folder, 'many.csv');
      writeFileSync(path, SHEET);
      const preview = await desk.preview(await desk.grant(path));
      await desk.apply(preview.previewId);

      const filtered: number[] = [];
      const view = { kind: 'keyword', filter: '', sort: [], campaignId: null, only: 'all' } as const;
      const target = join(folder, 'some.csv');
      await desk.export(
        { target, format: 'csv', view: { ...view, sort: [] } },
        {
          ...NO_OBSERVER,
          tellShare: (share) => void filtered.push(share),
        },
      );
      expect(filtered).toEqual([5000 / KEYWORDS, 10_000 / KEYWORDS]);

      const whole: number[] = [];
      await desk.export(
        { target: join(folder, 'all.xlsx'), format: 'xlsx', view: null },
        {
          ...NO_OBSERVER,
          tellShare: (share) => void whole.push(share),
        },
      );
      const all = KEYWORDS + 2;
      expect(whole).toEqual([5000 / all, 10_000 / all]);
    } finally {
      await desk.close();
    }
  });
});
