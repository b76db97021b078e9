import { useEffect, useMemo, useState } from 'react';
import type { PastedTable, PastePreview } from '../../../shared/contract/paste.ts';
import type { RowRef } from '../../../shared/contract/scalars.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { useAppContext } from '../../app/desk.ts';

/** What was pasted, and what the user has said about it. */
export interface Pasted {
  readonly table: readonly (readonly string[])[];
  /** Null leaves it to main to find out. */
  readonly header: boolean | null;
  readonly columns: readonly (string | null)[] | null;
  readonly decimals: 'point' | 'comma' | null;
}

interface Answer {
  readonly preview: PastePreview | null;
  readonly failure: string | null;
  readonly waiting: boolean;
}

const EXAMPLES = 100;
const NOTHING: Answer = { preview: null, failure: null, waiting: false };

/** Asks main how the table is understood, anew whenever the user says something about it. */
export function usePastePreview(
  kind: Kind,
  parent: RowRef | null,
  pasted: Pasted,
): Answer & { readonly request: PastedTable | null } {
  const { actions } = useAppContext();
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  const parentKey = JSON.stringify(parent);
  const request = useMemo((): PastedTable | null => {
    if (kind === 'media' || pasted.table.length === 0) return null;
    const to: RowRef | null = JSON.parse(parentKey);
    return {
      kind,
      parent: to,
      table: pasted.table.map((row) => [...row]),
      ...(pasted.header === null ? {} : { header: pasted.header }),
      ...(pasted.columns === null ? {} : { columns: [...pasted.columns] }),
      ...(pasted.decimals === null ? {} : { decimals: pasted.decimals }),
    };
  }, [kind, parentKey, pasted]);

  useEffect(() => {
    if (request === null) {
      setAnswer(NOTHING);
      return;
    }
    let over = false;
    setAnswer((before) => ({ ...before, waiting: true }));
    void actions.previewPaste(request, EXAMPLES).then((found) => {
      if (over) return;
      setAnswer(
        found.ok
          ? { preview: found.value, failure: null, waiting: false }
          : { preview: null, failure: found.error, waiting: false },
      );
    });
    return () => {
      over = true;
    };
  }, [actions, request]);
  return { ...answer, request };
}
