import { Menu } from '@mantine/core';
import type { Launch } from '../../../shared/contract/launch.ts';
import { stepCommand } from '../../../shared/plan/command-capabilities.ts';
import { NOT_OFFERED } from '../../../shared/plan/offering-text.ts';
import { useAppContext, useView } from '../../app/desk.ts';
import { fixAllSteps, runLaunchStep, isForAll } from '../../app/step-doings.ts';
import { useOffering } from '../../data/use-offering.ts';
import { enLaunch } from '../../messages/en-launch.ts';
import { enSteps } from '../../messages/en-steps.ts';

/** The cheapest missing step with the button that ends it; behind it a menu of all of them. */
export function LaunchStep({ launch }: { readonly launch: Launch }) {
  const desk = useAppContext();
  const [next, ...later] = launch.missing;
  const offering = useOffering(next === undefined ? null : stepCommand(next.step));
  if (next === undefined) {
    return (
      <span className="launch-next">
        {launch.isReady ? (
          <span className="badge badge-good">
            <span aria-hidden="true">✓</span>
            {enLaunch.ready}
          </span>
        ) : (
          <span className="quiet">{enLaunch.waits}</span>
        )}
      </span>
    );
  }
  return (
    <span className="launch-next">
      <span className="launch-step" title={enSteps.what(next)}>
        {enSteps.what(next)}
      </span>
      <button
        type="button"
        className="chip"
        title={next.fix.way === 'outside' ? NOT_OFFERED : offering?.text}
        disabled={next.fix.way === 'outside'}
        onClick={() => void runLaunchStep(desk, launch, next.fix)}
      >
        {enSteps.button(next)}
      </button>
      <StepsMenu launch={launch} later={later.length} />
    </span>
  );
}

function StepsMenu({ launch, later }: { readonly launch: Launch; readonly later: number }) {
  const desk = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const { missing, name } = launch;
  const first = missing[0]?.fix;
  return (
    <Menu position="bottom-start" width={380}>
      <Menu.Target>
        <button type="button" className="chip" aria-label={enSteps.all(name, later)}>
          {enSteps.more(later)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {missing.map((each) => (
          <Menu.Item
            key={`${each.step} ${enSteps.what(each)}`}
            disabled={each.fix.way === 'outside'}
            title={each.fix.way === 'outside' ? NOT_OFFERED : undefined}
            onClick={() => void runLaunchStep(desk, launch, each.fix)}
            rightSection={<span className="quiet launch-way">{enSteps.button(each)}</span>}
          >
            {enSteps.what(each)}
          </Menu.Item>
        ))}
        {first !== undefined && isForAll(first) && workspaceId !== null && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => void fixAllSteps(desk, workspaceId, first)}>
              {enSteps.everywhere[first.way]}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
