import { useState } from 'react';
import { useAppContext, useView } from '../../app/desk.ts';
import { en } from '../../messages/en.ts';
import { enCheck } from '../../messages/en-check.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';
import { CheckStrip } from './CheckStrip.tsx';
import { FindingsByRule } from './FindingsByRule.tsx';
import { FindingsBySeverity } from './FindingsBySeverity.tsx';

/** What the rules say: of the account or the open campaign, by how grave it is or by what finds it. */
export function FindingsTab({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useAppContext();
  const open = useView((s) => s.campaignId);
  const by = useView((s) => s.findingsBy);
  const [here, setHere] = useState(false);
  const campaignId = here ? open : null;
  return (
    <div className="drawer-body">
      <div className="drawer-bar">
        {open !== null && (
          <ChipChoice
            label={en.drawer.scope}
            choices={[
              { value: false, name: en.drawer.scopeAll },
              { value: true, name: en.drawer.scopeHere },
            ]}
            chosen={here}
            onChoose={setHere}
          />
        )}
        <button
          type="button"
          className="chip"
          aria-pressed={by === 'rule'}
          title={enCheck.byRuleText}
          onClick={() => store.getState().groupFindings(by === 'rule' ? 'severity' : 'rule')}
        >
          {enCheck.byRule}
        </button>
        <CheckStrip workspaceId={workspaceId} />
      </div>
      {by === 'severity' ? (
        <FindingsBySeverity workspaceId={workspaceId} campaignId={campaignId} />
      ) : (
        <FindingsByRule key={`${workspaceId} ${campaignId}`} workspaceId={workspaceId} campaignId={campaignId} />
      )}
    </div>
  );
}
