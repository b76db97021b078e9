import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { type ClipboardEvent, useState } from 'react';
import { PARENT_OF } from '../../../shared/model/kinds.ts';
import { parseTsv } from '../../../shared/sheet/tsv.ts';
import { useAppContext, useViewOf } from '../../app/desk.ts';
import { firstRows } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { enPaste } from '../../messages/en-paste.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { PasteRows } from './PasteRows.tsx';
import { type Pasted, usePastePreview } from './use-paste-preview.ts';

/** Rows one call takes. */
const ROWS_MAX = 50_000;
const EMPTY: Pasted = { table: [], header: null, columns: null, decimals: null };

/** A table from the clipboard: its columns are matched, and each row is shown before anything is written. */
export function PasteDialog({ workspaceId }: { readonly workspaceId: string }) {
  const { store, actions, notes } = useAppContext();
  const { dismiss } = store.getState();
  const { kind, campaignId } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId }));
  const campaign = useQuery(campaignId === null ? null : firstRows(workspaceId, 'campaign', campaignId)).data?.[0];
  const group = useQuery(campaignId === null ? null : firstRows(workspaceId, 'adGroup', campaignId)).data?.[0];
  const [pasted, setPasted] = useState<Pasted>(EMPTY);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const below = PARENT_OF[kind] === 'adGroup' ? group : PARENT_OF[kind] === 'campaign' ? campaign : undefined;
  const parent =
    below === undefined ? null : { kind: below === group ? ('adGroup' as const) : ('campaign' as const), id: below.id };
  const { preview, request, failure, waiting } = usePastePreview(kind, parent, pasted);
  const rows = (preview?.add ?? 0) + (preview?.update ?? 0);

  const onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const table = parseTsv(event.clipboardData.getData('text/plain'));
    setProblem(table.length > ROWS_MAX ? enPaste.tooLong(ROWS_MAX) : null);
    if (table.length <= ROWS_MAX) setPasted({ ...EMPTY, table });
  };
  const apply = async (): Promise<void> => {
    if (request === null || rows === 0) return;
    setBusy(true);
    const done = await actions.applyPaste(request, enPaste.label(rows));
    setBusy(false);
    if (done === null) return;
    dismiss();
    notes.tell(enPaste.applied(done.created, done.cells));
  };
  return (
    <Modal opened onClose={dismiss} title={enPaste.title(KIND_NAMES[kind].many)} size={860}>
      {pasted.table.length === 0 ? (
        <textarea
          className="paste-room"
          data-autofocus
          readOnly
          aria-label={enPaste.drop}
          placeholder={`${enPaste.drop}\n\n${enPaste.hint}`}
          onPaste={onPaste}
        />
      ) : (
        <>
          {preview !== null && (
            <>
              <div className="paste-counts">
                {(['add', 'update', 'unchanged', 'error'] as const).map((each) => (
                  <span key={each} className={each === 'error' && preview.error > 0 ? 'badge badge-error' : 'badge'}>
                    {preview[each]} {enPaste.counts[each]}
                  </span>
                ))}
                <span className="toolbar-gap" />
                <Checkbox
                  size="xs"
                  label={enPaste.header}
                  checked={preview.hasHeader}
                  onChange={(event) => {
                    const header = event.currentTarget.checked;
                    setPasted((before) => ({ ...before, header, columns: null }));
                  }}
                />
              </div>
              {preview.needsDecimals && (
                <div role="group" aria-label={enPaste.decimals} className="paste-decimals">
                  <span className="note-warning">{enPaste.decimals}</span>
                  {(['point', 'comma'] as const).map((decimals) => (
                    <button
                      key={decimals}
                      type="button"
                      className="chip"
                      onClick={() => setPasted((before) => ({ ...before, decimals }))}
                    >
                      {enPaste[decimals]}
                    </button>
                  ))}
                </div>
              )}
              <PasteRows
                kind={kind}
                preview={preview}
                table={pasted.table}
                waiting={waiting}
                onColumn={(at, column) => {
                  const now = preview.columns.map((each) => each.column);
                  setPasted((before) => ({ ...before, columns: now.with(at, column) }));
                }}
              />
            </>
          )}
          {preview === null && failure === null && <p className="quiet">{enPaste.reading}</p>}
        </>
      )}
      {(problem ?? failure) !== null && (
        <p className="note-error preview-problem" role="alert">
          {problem ?? failure}
        </p>
      )}
      <Group justify="flex-end" mt="sm" gap="xs">
        {pasted.table.length > 0 && <Button onClick={() => setPasted(EMPTY)}>{enPaste.again}</Button>}
        <Button onClick={dismiss}>{en.bulk.cancel}</Button>
        <Button variant="filled" disabled={rows === 0 || waiting} loading={busy} onClick={() => void apply()}>
          {enPaste.apply(rows)}
        </Button>
      </Group>
    </Modal>
  );
}
