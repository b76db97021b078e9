import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { signList } from '../main/hosts/electron/update-feed.ts';

/**
 * Signs the lists of a release, so that installed copies follow them (docs/updates.md):
 *
 *   node_modules/.bin/node scripts/sign-update.ts --new-key KEY.pem
 *   node_modules/.bin/node scripts/sign-update.ts KEY.pem dist/latest-linux.yml dist/latest.yml
 */
const [first = '', ...files] = process.argv.slice(2);
const publicText = (pem: string): string =>
  createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64');

if (first === '--new-key' && files.length === 1) {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // Fails when the file exists: an overwritten key can't be recovered.
  writeFileSync(files[0] ?? '', pem, { mode: 0o600, flag: 'wx' });
  console.log(`Public key for "extraMetadata.updates.key": ${publicText(pem)}`);
} else if (first === '' || first.startsWith('--') || files.length === 0) {
  console.error('Use: sign-update.ts KEY.pem LIST.yml..., or sign-update.ts --new-key KEY.pem');
  process.exitCode = 2;
} else {
  const key = createPrivateKey(readFileSync(first));
  for (const file of files) {
    writeFileSync(`${file}.sig`, `${signList(key, basename(file), readFileSync(file, 'utf8'))}\n`);
    console.log(`${file}.sig`);
  }
}
