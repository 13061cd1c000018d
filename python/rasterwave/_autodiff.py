"""Stored path gains (gradients.Gains) as differentiable operations of PyTorch and JAX.

The library has the value, its product with a tangent (push) and the product of its transpose with a cotangent (pull). Each becomes
an operation of the framework: push and pull are each other's transpose, and a batch of any of them is a loop. There is no second
derivative; asking for one is an error, never a zero.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

if TYPE_CHECKING:
    from .gradients import Array, Gains

NO_SECOND = (
    "rasterwave has first derivatives only: a Hessian, or the derivative of a gradient, needs finite differences of "
    "Gains.vjp or Gains.jvp"
)


class _Evaluator:
    """Values and both products as functions of arrays; the paths are stored anew when transmitters have moved."""

    def __init__(self, gains: Gains, output: str, follow: bool) -> None:
        self._first, self._output, self._follow = gains, output, follow
        self._last: tuple[bytes, Gains] = (b"", gains)

    def _at(self, values: Array) -> Gains:
        if not self._follow:
            return self._first
        key = values.tobytes()
        if self._last[0] != key:
            self._last = (key, self._first.at(values))
        return self._last[1]

    def value(self, values: Any) -> Array:
        numbers = np.array(values, dtype=float)
        result: Array = getattr(self._at(numbers), self._output)(numbers)
        return result

    def push(self, values: Any, tangent: Any) -> Array:
        numbers = np.array(values, dtype=float)
        return self._at(numbers).jvp(_finite(tangent, float), numbers, self._output)[1]

    def pull(self, values: Any, cotangent: Any) -> Array:
        numbers = np.array(values, dtype=float)
        kind = float if self._output == "levels" else complex
        return self._at(numbers).vjp(_finite(cotangent, kind), numbers, self._output)


def _finite(array: Any, kind: Any) -> Array:
    """Derivatives at points without a path (-inf dBm) are not finite, and count nothing."""
    found = np.array(array, dtype=kind)
    return np.where(np.isfinite(found), found, 0.0)


# ------------------------------------------------------------------------------------------------------------- PyTorch


def torch_operation(gains: Gains, output: str) -> Callable[[Any], Any]:
    """A function of a tensor of values, for autograd backwards and forwards and for torch.func (vmap, jacrev, jacfwd)."""
    torch: Any = importlib.import_module("torch")
    evaluator = _Evaluator(gains, output, follow=True)
    Function: Any = torch.autograd.Function

    def numbers_of(tensor: Any) -> Array:
        found: Array = tensor.detach().cpu().numpy()
        return found

    def tensor_of(array: Array, like: Any) -> Any:
        made = torch.from_numpy(np.ascontiguousarray(array)).to(like.device)
        real = like.dtype.to_real() if like.is_complex() else like.dtype
        return made.to(real.to_complex() if made.is_complex() else real)

    def loop(operation: Any, info: Any, in_dims: Any, arguments: Any) -> Any:
        moved = [x if dim is None else x.movedim(dim, 0) for x, dim in zip(arguments, in_dims)]
        rows = [operation(*(x if dim is None else x[i] for x, dim in zip(moved, in_dims))) for i in range(info.batch_size)]
        return torch.stack(rows), 0

    class Product(Function):  # type: ignore[misc]
        """A product with a tangent or cotangent; linear in the second argument."""

        product: Any
        transposed: Any

        @staticmethod
        def setup_context(context: Any, inputs: Any, output: Any) -> None:
            context.save_for_backward(inputs[0])
            context.save_for_forward(inputs[0])

        @staticmethod
        def backward(context: Any, cotangent: Any) -> Any:
            raise NotImplementedError(NO_SECOND)

        @staticmethod
        def jvp(context: Any, *tangents: Any) -> Any:
            raise NotImplementedError(NO_SECOND)

    class Push(Product):
        @staticmethod
        def forward(values: Any, tangent: Any) -> Any:
            return tensor_of(evaluator.push(numbers_of(values), numbers_of(tangent)), values)

        @staticmethod
        def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
            return loop(Push.apply, info, in_dims, arguments)

    class Pull(Product):
        @staticmethod
        def forward(values: Any, cotangent: Any) -> Any:
            return tensor_of(evaluator.pull(numbers_of(values), numbers_of(cotangent)), values)

        @staticmethod
        def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
            return loop(Pull.apply, info, in_dims, arguments)

    class Evaluate(Function):  # type: ignore[misc]
        @staticmethod
        def forward(values: Any) -> Any:
            return tensor_of(evaluator.value(numbers_of(values)), values)

        @staticmethod
        def setup_context(context: Any, inputs: Any, output: Any) -> None:
            context.save_for_backward(inputs[0])
            context.save_for_forward(inputs[0])

        @staticmethod
        def jvp(context: Any, tangent: Any) -> Any:
            return Push.apply(context.saved_tensors[0], tangent)

        @staticmethod
        def backward(context: Any, cotangent: Any) -> Any:
            return Pull.apply(context.saved_tensors[0], cotangent)

        @staticmethod
        def vmap(info: Any, in_dims: Any, *arguments: Any) -> Any:
            return loop(Evaluate.apply, info, in_dims, arguments)

    operation: Callable[[Any], Any] = Evaluate.apply
    return operation


# ----------------------------------------------------------------------------------------------------------------- JAX


def jax_operation(gains: Gains, output: str) -> Callable[[Any], Any]:
    """A function of an array of values, for grad, jvp, jacfwd, jacrev, vmap and jit."""
    jax: Any = importlib.import_module("jax")
    jnp: Any = importlib.import_module("jax.numpy")
    ad: Any = importlib.import_module("jax.interpreters.ad")
    batching: Any = importlib.import_module("jax.interpreters.batching")
    mlir: Any = importlib.import_module("jax.interpreters.mlir")
    core: Any = importlib.import_module("jax.extend.core")
    abstract: Any = getattr(importlib.import_module("jax.core"), "ShapedArray")
    levels = output == "levels"
    evaluator = _Evaluator(gains, output, follow=levels)  # shapes are fixed: path gains stay those of the stored paths
    shape = (gains.info.transmitters, gains.info.points) if levels else (gains.info.paths,)
    size = (len(gains.parameters),)

    def conjugated(values: Any, cotangent: Any) -> Array:
        return evaluator.pull(values, np.conj(cotangent))  # JAX has the derivative over the imaginary part negative

    def primitive(name: str, function: Callable[..., Array], result: tuple[int, ...], complex_result: bool) -> Any:
        def kind(values: Any) -> Any:
            return np.result_type(values.dtype, np.complex64) if complex_result else values.dtype

        def call(values: Any, *others: Any) -> Any:
            made = jax.ShapeDtypeStruct(result, kind(values))
            return jax.pure_callback(lambda *x: function(*x).astype(made.dtype), made, values, *others)

        def batch(arguments: Any, dims: Any) -> Any:
            count = next(x.shape[dim] for x, dim in zip(arguments, dims) if dim is not None)
            rows = [
                jnp.broadcast_to(x, (count, *x.shape)) if dim is None else jnp.moveaxis(x, dim, 0)
                for x, dim in zip(arguments, dims)
            ]
            return jax.lax.map(lambda row: made_primitive.bind(*row), tuple(rows)), 0

        made_primitive = core.Primitive(f"rasterwave_{output}_{name}")
        made_primitive.def_impl(jax.jit(call))
        made_primitive.def_abstract_eval(lambda values, *_: abstract(result, kind(values)))
        mlir.register_lowering(made_primitive, mlir.lower_fun(call, multiple_results=False))
        batching.primitive_batchers[made_primitive] = batch
        return made_primitive

    value = primitive("value", evaluator.value, shape, not levels)
    push = primitive("push", evaluator.push, shape, not levels)
    pull = primitive("pull", conjugated, size, False)

    def linear(product: Any, transposed: Any) -> None:
        def jvp(primals: Any, tangents: Any) -> Any:
            if not isinstance(tangents[0], ad.Zero):
                raise NotImplementedError(NO_SECOND)
            along = ad.instantiate_zeros(tangents[1])
            return product.bind(*primals), product.bind(primals[0], along)

        def transpose(cotangent: Any, values: Any, _along: Any) -> Any:
            return None, transposed.bind(values, ad.instantiate_zeros(cotangent))

        ad.primitive_jvps[product] = jvp
        ad.primitive_transposes[product] = transpose

    linear(push, pull)
    linear(pull, push)

    def derive(primals: Any, tangents: Any) -> Any:
        return value.bind(*primals), push.bind(primals[0], ad.instantiate_zeros(tangents[0]))

    ad.primitive_jvps[value] = derive

    def operation(values: Any) -> Any:
        return value.bind(jnp.asarray(values))

    return operation
