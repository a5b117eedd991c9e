#pragma once

// What heed uses of LibTorch: tensors and their operators, autograd, modules. <torch/torch.h> also
// brings its layers, optimizers, data loaders and the interpreter, and doubles the time that every
// file takes to compile. Precompiled; include this and no other header of LibTorch's front end.
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/nn/init.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>
#include <torch/utils.h>
