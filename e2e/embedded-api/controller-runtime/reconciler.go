// What a Widget gets: a finalizer, a ConfigMap it owns, a status, events.
package main

import (
	"context"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "example.com/widgets"

type Reconciler struct {
	client.Client
	Scheme *runtime.Scheme
	Events record.EventRecorder
}

func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	widget := &Widget{}
	if err := r.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.finish(ctx, widget)
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		return ctrl.Result{}, r.Update(ctx, widget)
	}
	if err := r.ensureConfigMap(ctx, widget); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.report(ctx, widget)
}

func (r *Reconciler) ensureConfigMap(ctx context.Context, widget *Widget) error {
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: widget.Name, Namespace: widget.Namespace}}
	result, err := controllerutil.CreateOrUpdate(ctx, r.Client, owned, func() error {
		owned.Data = map[string]string{"color": widget.Spec.Color, "size": strconv.FormatInt(widget.Spec.Size, 10)}
		return controllerutil.SetControllerReference(widget, owned, r.Scheme)
	})
	if err == nil && result != controllerutil.OperationResultNone {
		r.Events.Eventf(widget, corev1.EventTypeNormal, "ConfigMapWritten", "the ConfigMap was %s", result)
	}
	return err
}

func (r *Reconciler) report(ctx context.Context, widget *Widget) error {
	want := WidgetStatus{Phase: "Ready", Size: widget.Spec.Size}
	if widget.Status == want {
		return nil
	}
	before := widget.DeepCopyObject().(*Widget)
	widget.Status = want
	return r.Status().Patch(ctx, widget, client.MergeFrom(before))
}

// finish removes the ConfigMap by itself, as a controller with something outside the cluster would, and lets go.
func (r *Reconciler) finish(ctx context.Context, widget *Widget) error {
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: widget.Name, Namespace: widget.Namespace}}
	if err := client.IgnoreNotFound(r.Delete(ctx, owned)); err != nil {
		return err
	}
	if controllerutil.RemoveFinalizer(widget, finalizer) {
		return r.Update(ctx, widget)
	}
	return nil
}
