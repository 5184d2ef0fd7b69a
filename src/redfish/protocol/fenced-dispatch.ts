/** Looks at the fence at the last possible moment: when undici has a connected socket and is about to write the request. */
import { DecoratorHandler, type Dispatcher } from "undici";
import { FenceClosed } from "./network-error.ts";

class FenceHandler extends DecoratorHandler {
  readonly #beforeSend: () => void;
  readonly #inner: Dispatcher.DispatchHandler;

  constructor(handler: Dispatcher.DispatchHandler, beforeSend: () => void) {
    super(handler);
    this.#inner = handler;
    this.#beforeSend = beforeSend;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    // The inner handler is told first: it must know the controller to report the abort.
    this.#inner.onRequestStart?.(controller, context);
    try {
      this.#beforeSend();
    } catch (error) {
      controller.abort(new FenceClosed(error instanceof Error ? error.message : String(error)));
    }
  }
}

/** A dispatcher that calls `beforeSend` right before the first byte of each request; when it throws, nothing is sent. */
export function fencedDispatcher(dispatcher: Dispatcher, beforeSend: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) => dispatch(options, new FenceHandler(handler, beforeSend)),
  );
}
