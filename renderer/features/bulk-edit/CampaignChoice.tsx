import { useEffect, useId, useState } from 'react';
import type { BulkPreview, BulkScope, BulkTool } from '../../../shared/api/bulk.ts';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { useAppContext } from '../../app/app-context.ts';
import { useRows } from '../../app/shared-queries.ts';
import ui from '../../components/ui.module.css';
import styles from './bulk-edit.module.css';

const texts = {
  target: 'Campaign',
  find: 'Find campaign',
  none: 'No matching campaigns.',
} as const;

/** Campaigns shown at once; more words find the others. */
const SHOWN = 60;

interface CampaignChoiceProps {
  readonly workspaceId: string;
  readonly chosen: number | null;
  readonly onChoose: (campaignId: WindowRow['id']) => void;
}

/** One campaign of an account, found by words of its name. */
export function CampaignChoice({ workspaceId, chosen, onChoose }: CampaignChoiceProps) {
  const [text, setText] = useState('');
  const name = useId();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const filter = words.map((word) => `name:"${word.replaceAll('"', '')}"`).join(' ');
  const campaigns = useRows(workspaceId, { kind: 'campaign', filter }, SHOWN).data?.rows ?? [];
  return (
    <>
      <input
        className={`${ui['input']} ${styles['target-filter']}`}
        data-autofocus
        aria-label={texts.find}
        placeholder={texts.find}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <fieldset className={styles['targets']}>
        <legend className={ui['spoken-only']}>{texts.target}</legend>
        {campaigns.length === 0 && <p className={ui['quiet']}>{texts.none}</p>}
        {campaigns.map((row) => (
          <label key={row.id} className={styles['target']}>
            <input type="radio" name={name} checked={chosen === row.id} onChange={() => onChoose(row.id)} />
            <span className={ui['nav-name']}>{row.campaignName}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** A preview is asked for when typing has paused for this long. */
const PAUSE_MS = 120;
const EXAMPLES = 100;

interface Previewed {
  readonly preview: BulkPreview | null;
  readonly problem: string | null;
  readonly waiting: boolean;
}

/** Keeps a preview of what is typed at hand; the last one stays on screen until the next has arrived. */
export function usePreview(scope: BulkScope | null, tool: BulkTool | null): Previewed {
  const { actions } = useAppContext();
  const [shown, setShown] = useState<Previewed>({ preview: null, problem: null, waiting: false });
  const asked = scope === null || tool === null ? null : JSON.stringify({ scope, tool });

  useEffect(() => {
    if (asked === null) {
      setShown({ preview: null, problem: null, waiting: false });
      return;
    }
    let over = false;
    setShown((before) => ({ ...before, waiting: true }));
    const timer = setTimeout(async () => {
      const question: { readonly scope: BulkScope; readonly tool: BulkTool } = JSON.parse(asked);
      const answer = await actions.previewTool(question.scope, question.tool, EXAMPLES);
      if (over) return;
      setShown(
        answer.ok
          ? { preview: answer.value, problem: null, waiting: false }
          : { preview: null, problem: answer.error, waiting: false },
      );
    }, PAUSE_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [actions, asked]);
  return shown;
}
