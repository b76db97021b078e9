import type { Rejection } from '../../../shared/contract/verdicts.ts';
import { enRejections } from '../../messages/en-rejections.ts';

/** What a reviewer saw otherwise when it was last approved; nothing where it never was. */
export function WhatChanged({ changes }: Pick<Rejection, 'changes'>) {
  if (changes === null) return null;
  if (changes.length === 0) return <p className="review-changes quiet">{enRejections.unchanged}</p>;
  const text = (part: string, value: string | null): string =>
    value ?? (part === 'file' ? enRejections.unknownFile : enRejections.none);
  return (
    <dl className="review-changes">
      <dt className="quiet">{enRejections.changed}</dt>
      {changes.map(({ part, before, after }) => (
        <dd key={part}>
          {enRejections.parts[part]} <del>{text(part, before)}</del> <span aria-hidden="true">→</span>{' '}
          <ins>{text(part, after)}</ins>
        </dd>
      ))}
    </dl>
  );
}
