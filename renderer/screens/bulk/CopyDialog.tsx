import { Modal } from '@mantine/core';
import { useState } from 'react';
import { PARENT_OF } from '../../../shared/model/kinds.ts';
import { selectionScope } from '../../app/bulk-doings.ts';
import { useAppContext } from '../../app/desk.ts';
import { accounts } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import type { OpenView } from '../../data/window-source.ts';
import { en } from '../../messages/en.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { CopyAcross } from './CopyAcross.tsx';
import { CopyHere } from './CopyHere.tsx';

/** Where the selected rows are copied to: below another campaign of this account, or into another account. */
export function CopyDialog({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const desk = useAppContext();
  const { dismiss } = desk.store.getState();
  const { kind } = view.source.request;
  const [selected] = useState(() => selectionScope(desk, view));
  const [chosen, setChosen] = useState<string | null>(null);
  const all = useQuery(accounts).data ?? [];
  // What hangs from the account itself has no other place within it.
  const offered = all.filter((account) => PARENT_OF[kind] !== 'account' || account.workspaceId !== workspaceId);
  const target = offered.find((account) => account.workspaceId === chosen) ?? offered[0];
  return (
    <Modal opened onClose={dismiss} title={en.copies.title} size={520}>
      <p className="quiet">{en.copies.what(selected.count, KIND_NAMES[kind].many)}</p>
      {target === undefined ? (
        <p>{en.copies.noOther}</p>
      ) : (
        <>
          <label className="target-account">
            {en.copies.account}
            <select className="input" value={target.workspaceId} onChange={(event) => setChosen(event.target.value)}>
              {offered.map((account) => (
                <option key={account.workspaceId} value={account.workspaceId}>
                  {account.workspaceId === workspaceId ? en.copies.thisAccount(account.name) : account.name}
                </option>
              ))}
            </select>
          </label>
          {target.workspaceId === workspaceId ? (
            <CopyHere workspaceId={workspaceId} kind={kind} selected={selected} />
          ) : (
            <CopyAcross
              key={target.workspaceId}
              workspaceId={workspaceId}
              target={target}
              kind={kind}
              selected={selected}
            />
          )}
        </>
      )}
    </Modal>
  );
}
