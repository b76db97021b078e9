import { Component, type ReactNode } from 'react';
import { en } from '../texts/en.ts';
import { Empty } from './Empty.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
}

/**
 * Keeps a defect in one screen from leaving an empty window: says what is safe and offers a fresh start. React
 * catches errors of rendering in classes only.
 */
export class ErrorBoundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <main className="page">
        <Empty title={en.broken.title} text={en.broken.text} heading>
          <button type="button" className="chip" onClick={() => window.location.reload()}>
            {en.broken.reload}
          </button>
        </Empty>
      </main>
    );
  }
}
