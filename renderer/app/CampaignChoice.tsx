import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import ui from '../components/ui.module.css';
import { useApi } from './app-context.ts';
import { countText } from './locale/numbers.ts';
import { Problem } from './Problem.tsx';
import { rowsOf } from './shared-queries.ts';
import { appTexts } from './texts.ts';

const texts = {
  target: 'Campaign',
  find: 'Find campaign',
  none: 'No matching campaigns.',
  some: (n: number, total: number) =>
    `${countText(n)} of ${countText(total)} campaigns shown. Enter part of a name to find the others.`,
} as const;

/** Campaigns shown at once; a search finds the others. */
const SHOWN = 60;
interface CampaignChoiceProps {
  readonly workspaceId: string;
  readonly chosen: number | null;
  readonly onChoose: (campaignId: WindowRow['id']) => void;
}

/** Selects one campaign of an account, found by words of its name. The selected one stays in the list while others are searched. */
export function CampaignChoice({ workspaceId, chosen, onChoose }: CampaignChoiceProps) {
  const [text, setText] = useState('');
  const [last, setLast] = useState<WindowRow | null>(null);
  const name = useId();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const filter = words.map((word) => `name:"${word.replaceAll('"', '')}"`).join(' ');
  const { data, error } = useQuery({
    ...rowsOf(useApi(), workspaceId, { kind: 'campaign', filter }, SHOWN),
    placeholderData: keepPreviousData,
  });
  const found = data?.rows ?? [];
  const isHidden = last !== null && last.id === chosen && !found.some(({ id }) => id === chosen);
  const choose = (row: WindowRow): void => {
    setLast(row);
    onChoose(row.id);
  };
  return (
    <>
      <input
        className={ui['input']}
        data-autofocus
        data-first
        aria-label={texts.find}
        placeholder={texts.find}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className={ui['campaign-choice']}>
        <legend className={ui['spoken-only']}>{texts.target}</legend>
        <Problem of={error} />
        {data === undefined && error === null && <p className={ui['quiet']}>{appTexts.grid.loading}</p>}
        {data?.total === 0 && <p className={ui['quiet']}>{texts.none}</p>}
        {[...(isHidden ? [last] : []), ...found].map((row) => (
          <label key={row.id} className={ui['campaign-option']}>
            <input type="radio" name={name} checked={chosen === row.id} onChange={() => choose(row)} />
            <span className={ui['nav-name']}>{row.campaignName}</span>
          </label>
        ))}
      </fieldset>
      {data !== undefined && data.total > found.length && (
        <p className={ui['quiet']}>{texts.some(found.length, data.total)}</p>
      )}
    </>
  );
}
