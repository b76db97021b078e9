import { Component, type ReactNode } from 'react';
import { Chip } from './Chip.tsx';
import { Empty } from './Empty.tsx';
import ui from './ui.module.css';

const texts = {
  title: 'Something went wrong in this window',
  text: 'Your edits are saved. Reload the window to continue. If it happens again, tell support what you did.',
  reload: 'Reload window',
} as const;

/**
 * Shows a message instead of an empty window after an error of rendering: what is safe, and a button to reload. React
 * catches such errors in classes only.
 */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <main className={ui['page']}>
        <Empty title={texts.title} text={texts.text} heading>
          <Chip onClick={() => window.location.reload()}>{texts.reload}</Chip>
        </Empty>
      </main>
    );
  }
}
