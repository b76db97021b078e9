import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Rejection } from '../../../shared/api/reviews.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { countText, fullDayText, plural } from '../../app/locale/numbers.ts';
import { SearchBox } from '../../components/SearchBox.tsx';
import ui from '../../components/ui.module.css';
import styles from './inbox.module.css';

const texts = {
  title: 'Rejection history',
  hint: 'Stored with the exact creative that was rejected. Adslate warns you when a draft uses the same creative again.',
  find: 'Find by campaign or reason',
  more: (n: number) => `${plural(n, 'more rejection')}. Search by campaign, reason or text.`,
  on: (day: string) => `Rejected on ${day}`,
  noReason: 'No reason given.',
  changed: 'Changed since the last approval',
  unchanged: 'Nothing has changed since the last approval.',
  parts: { headline: 'Headline', brand: 'Brand name', clickUrl: 'Click URL', file: 'Logo or video' },
  none: 'none',
  unknownFile: 'a file that is no longer in the library',
} as const;

/** Most rejections shown; a search finds the others. */
const SHOWN = 100;

/** All rejections of reviews, across campaigns and after resubmission, with the reviewed content. */
export function RejectionHistory({ workspaceId }: { readonly workspaceId: string }) {
  const [words, setWords] = useState('');
  const kept = useQuery(
    useApi().rejections.list.queryOptions({ input: { workspaceId, from: 0, count: SHOWN, words } }),
  ).data;
  if (kept === undefined || (kept.total === 0 && words === '')) return null;
  const left = kept.total - kept.rejections.length;
  return (
    <section className={styles['history']} aria-label={texts.title}>
      <h2>
        {texts.title} <span className={ui['quiet']}>{countText(kept.total)}</span>
      </h2>
      <p className={ui['quiet']}>{texts.hint}</p>
      <SearchBox label={texts.find} value={words} onChange={setWords} />
      <ul className={ui['lines']}>
        {kept.rejections.map((rejection) => (
          <li key={rejection.number} className={styles['rejection']}>
            <Rejected rejection={rejection} />
          </li>
        ))}
      </ul>
      {left > 0 && <p className={ui['quiet']}>{texts.more(left)}</p>}
    </section>
  );
}

function Rejected({ rejection }: { readonly rejection: Rejection }) {
  const { store } = useAppContext();
  const { kind, id, campaignId, campaign, creative, isThere, reason, day, changes } = rejection;
  const words = [creative.headline, creative.brand, creative.clickUrl, creative.fileName].filter(
    (text) => text !== null,
  );
  const open = (): void => store.getState().reveal(kind, campaignId, id, kind === 'sbaProfile' ? 'headline' : 'video');
  return (
    <>
      <p>
        {isThere ? (
          <button type="button" className={ui['link']} onClick={open}>
            {campaign}
          </button>
        ) : (
          campaign
        )}{' '}
        <span className={ui['quiet']}>
          {KIND_NAMES[kind].one} · {texts.on(fullDayText(day))}
        </span>
      </p>
      <p>{reason ?? texts.noReason}</p>
      <p className={ui['quiet']}>{words.join(' · ')}</p>
      <WhatChanged changes={changes} />
    </>
  );
}

/** Differences from the content that was last approved; nothing if it never was. */
export function WhatChanged({ changes }: Pick<Rejection, 'changes'>) {
  if (changes === null) return null;
  if (changes.length === 0) return <p className={ui['quiet']}>{texts.unchanged}</p>;
  const text = (part: string, value: string | null): string =>
    value ?? (part === 'file' ? texts.unknownFile : texts.none);
  return (
    <section>
      <h3>{texts.changed}</h3>
      <dl className={styles['changes']}>
        {changes.map(({ part, before, after }) => (
          <div key={part}>
            <dt>{texts.parts[part]}</dt>
            <dd>
              <del>{text(part, before)}</del> <span aria-hidden="true">→</span> <ins>{text(part, after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
