import { useEffect, useState } from 'react';
import type { BulkPreview, BulkScope, BulkTool } from '../../../shared/api/bulk.ts';
import { useAppContext } from '../../app/app-context.ts';

/** A preview is asked for when typing has paused for this long. */
const PAUSE_MS = 120;
const EXAMPLES = 100;

export interface Previewed {
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
