import { useState } from 'react';
import type { Severity } from '../../../shared/rules/finding.ts';
import { findingText } from '../../../shared/rules/messages.ts';
import { useDesk, useView } from '../../app/desk.ts';
import { type FindingsPage, findings } from '../../data/questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { fieldName, KIND_NAMES } from '../../messages/fields.ts';
import { countText } from '../../messages/numbers.ts';
import { Empty } from '../../ui/Empty.tsx';

type Found = FindingsPage['findings'][number];

const PAGE = 300;
const GROUPS: readonly { readonly severity: Severity; readonly sign: string; readonly name: string }[] = [
  { severity: 'error', sign: '!', name: en.drawer.errors },
  { severity: 'warning', sign: '▲', name: en.drawer.warnings },
  { severity: 'advice', sign: 'i', name: en.drawer.advice },
];

/** What the rules say, gravest first. A click goes to the cell; a fix is one more click. */
export function FindingsTab({ workspaceId }: { readonly workspaceId: string }) {
  const { store } = useDesk();
  const open = useView((s) => s.campaignId);
  const [here, setHere] = useState(false);
  const campaignId = here ? open : null;
  const page = useQuery(findings(workspaceId, campaignId, PAGE)).data;
  if (page === undefined) return <div className="empty">{en.grid.loading}</div>;
  const go = (finding: Found): void =>
    store.getState().reveal(finding.kind, finding.campaignId, finding.id, finding.field);
  return (
    <div className="drawer-body">
      {open !== null && (
        <div role="group" aria-label={en.drawer.scope} className="drawer-bar">
          <button type="button" className="chip" aria-pressed={!here} onClick={() => setHere(false)}>
            {en.drawer.scopeAll}
          </button>
          <button type="button" className="chip" aria-pressed={here} onClick={() => setHere(true)}>
            {en.drawer.scopeHere}
          </button>
        </div>
      )}
      {page.total === 0 && <Empty title={en.drawer.noFindings} text={en.drawer.noFindingsText} />}
      {GROUPS.map(({ severity, sign, name }) => {
        const found = page.findings.filter((finding) => finding.severity === severity);
        if (found.length === 0) return null;
        return (
          <section key={severity}>
            <h2 className={`group-title note-${severity}`}>
              <span aria-hidden="true">{sign}</span> {name}{' '}
              <span className="badge">{countText(page.counts[severity])}</span>
            </h2>
            <ul className="lines">
              {found.map((finding) => (
                <FindingLine
                  key={`${finding.rule} ${finding.kind} ${finding.id} ${finding.field}`}
                  finding={finding}
                  onGo={go}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {page.total > page.findings.length && (
        <p className="quiet drawer-more">{en.drawer.more(page.total - page.findings.length)}</p>
      )}
    </div>
  );
}

function FindingLine({ finding, onGo }: { readonly finding: Found; readonly onGo: (finding: Found) => void }) {
  const { actions } = useDesk();
  const { fix, kind, id } = finding;
  const where = [
    finding.campaignName,
    kind === 'campaign' ? '' : KIND_NAMES[kind].one,
    kind === 'campaign' ? '' : finding.label,
  ];
  return (
    <li className="line">
      <button type="button" className="line-main" onClick={() => onGo(finding)}>
        <span className="line-text">{findingText(finding)}</span>
        <span className="line-where quiet">
          {where.filter((part) => part !== '').join(' › ')}
          {finding.field !== null && ` › ${fieldName(finding.field)}`}
        </span>
      </button>
      {fix !== null && (
        <button
          type="button"
          className="chip"
          onClick={() => void actions.edit(en.inspector.fix, [{ kind, id, field: fix.field, value: fix.value }])}
        >
          {en.inspector.fix}
        </button>
      )}
    </li>
  );
}
