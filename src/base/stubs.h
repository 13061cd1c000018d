/* The calls of an optional library in builds without it: one line each. value may set what the caller reads first:
 * (*file = NULL, report(context)). */
#ifndef RW_BASE_STUBS_H
#define RW_BASE_STUBS_H

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define RW_STUB(type, name, parameters, value)                                                                         \
    type name parameters                                                                                               \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

#define RW_STUB_VOID(name, parameters)                                                                                 \
    void name parameters                                                                                               \
    {                                                                                                                  \
    }

#endif
