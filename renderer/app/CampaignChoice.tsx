import { useId, useState } from 'react';
import type { WindowRow } from '../../shared/api/workspace.ts';
import ui from '../components/ui.module.css';
import { countText } from './locale/numbers.ts';
import { useRows } from './shared-queries.ts';

const texts = {
  target: 'Campaign',
  find: 'Find campaign',
  none: 'No matching campaigns.',
  some: (n: number, total: number) =>
    `${countText(n)} of ${countText(total)} campaigns shown. Enter part of a name to find the others.`,
} as const;

/** Campaigns shown at once; a search finds the others. */
const SHOWN = 60;
const NONE = { rows: [], total: 0 };

interface CampaignChoiceProps {
  readonly workspaceId: string;
  readonly chosen: number | null;
  readonly onChoose: (campaignId: WindowRow['id']) => void;
}

/** Selects one campaign of an account, found by words of its name. */
export function CampaignChoice({ workspaceId, chosen, onChoose }: CampaignChoiceProps) {
  const [text, setText] = useState('');
  const name = useId();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const filter = words.map((word) => `name:"${word.replaceAll('"', '')}"`).join(' ');
  const { rows: campaigns, total } = useRows(workspaceId, { kind: 'campaign', filter }, SHOWN).data ?? NONE;
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
        {campaigns.length === 0 && <p className={ui['quiet']}>{texts.none}</p>}
        {campaigns.map((row) => (
          <label key={row.id} className={ui['campaign-option']}>
            <input type="radio" name={name} checked={chosen === row.id} onChange={() => onChoose(row.id)} />
            <span className={ui['nav-name']}>{row.campaignName}</span>
          </label>
        ))}
      </fieldset>
      {total > campaigns.length && <p className={ui['quiet']}>{texts.some(campaigns.length, total)}</p>}
    </>
  );
}
