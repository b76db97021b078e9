import type { ImportSignature } from '../../../shared/contract/exchange.ts';
import { enImport } from '../../messages/en-import.ts';
import { timeText } from '../../messages/numbers.ts';
import { useNow } from '../../ui/use-now.ts';

/** Who signed a file and when, and how far that can be trusted. */
export function SignedBy({ signature }: { readonly signature: ImportSignature }) {
  const now = useNow();
  if (signature.is === 'unsigned') return <p className="quiet">{enImport.unsigned}</p>;
  if (signature.is === 'altered') return <p className="note-error">{enImport.alteredAllTheSame}</p>;
  const { name, at, fingerprint, signer, knownAs } = signature;
  const isRenamed = signer === 'known' && knownAs !== null && knownAs !== name;
  return (
    <p className={signer === 'new' || isRenamed ? 'note-warning' : 'quiet'}>
      {enImport.signedBy(name || enImport.nobody, timeText(at, now))}{' '}
      {isRenamed ? enImport.knownAs(knownAs) : enImport.signer[signer]}{' '}
      <code className="numeric">{enImport.fingerprint(fingerprint)}</code>
    </p>
  );
}
