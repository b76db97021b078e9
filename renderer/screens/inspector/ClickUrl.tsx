import { canonicalClickUrl } from '../../../shared/model/click-url.ts';
import { useLimits } from '../../data/use-limits.ts';
import { en } from '../../messages/en.ts';

/** The click URL as typed beside the form that is sent, and every rewrite between the two; one line when there is none. */
export function ClickUrl({ raw }: { readonly raw: string }) {
  const isEncoded = useLimits().sba.clickUrlEncoding === 'document';
  if (raw.trim() === '') return null;
  const sent = canonicalClickUrl(raw);
  if (!isEncoded || sent.rewrites.length === 0) return <p className="quiet field-notes">{en.inspector.urlSame}</p>;
  return (
    <section className="url-pair" aria-label={en.inspector.urlSent}>
      <dl>
        <dt>{en.inspector.urlRaw}</dt>
        <dd>{raw}</dd>
        <dt>{en.inspector.urlSent}</dt>
        <dd>{sent.url}</dd>
      </dl>
      <ul className="rewrites" aria-label={en.inspector.urlRewrites}>
        {sent.rewrites.map((rewrite) => (
          <li key={rewrite.from}>
            <code>{rewrite.from}</code> → <code>{rewrite.to === '' ? en.grid.none : rewrite.to}</code> × {rewrite.times}
          </li>
        ))}
      </ul>
    </section>
  );
}
